import { fillDisk, mountMemory, unmount } from "./mounts.ts";
import type { Fault, Prepared, Stage } from "./stage.ts";

const DISK_BYTES = 16 << 20;

/** Nothing can be kept any more: the runs end and say so. */
export const dataDiskFull: Fault = {
  name: "disk of the data folder full",
  prepare: (stage) =>
    fullDisk(stage.dataDir, { runCodes: ["JOURNAL_WRITE_FAILED"], callCodes: ["NOT_RUN", "INTERRUPTED"] }),
};

/** What the tools write fails, and the model is told. */
export const workDiskFull: Fault = {
  name: "disk of the workspace full",
  prepare: (stage: Stage) => fullDisk(stage.work, { callCodes: ["DISK_FULL", "TOOL_FAILED"] }),
};

async function fullDisk(folder: string, codes: Pick<Prepared, "runCodes" | "callCodes">): Promise<Prepared> {
  await mountMemory(folder, DISK_BYTES);
  let free = async (): Promise<void> => undefined;
  return {
    ...codes,
    inject: async () => {
      free = await fillDisk(folder);
    },
    heal: () => free(),
    dispose: () => unmount(folder),
  };
}
