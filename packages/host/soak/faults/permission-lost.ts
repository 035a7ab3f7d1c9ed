import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../../src/agent.ts";
import { demoModel } from "../../src/demo/model.ts";
import { mountReadOnly, unmount } from "./mounts.ts";
import type { Fault, Stage } from "./stage.ts";

/** Open sessions go on, since their journals are open; a new one cannot begin and says why. */
export const permissionLost: Fault = {
  name: "permission lost on the data folder",
  prepare: async (stage) => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      // Found out now and not in the middle.
      await mountReadOnly(stage.dataDir);
      await unmount(stage.dataDir);
    }
    const folders = [join(stage.dataDir, "sessions"), stage.dataDir];
    return {
      inject: async () => {
        if (isRoot) await mountReadOnly(stage.dataDir);
        else for (const folder of folders) await chmod(folder, 0o500);
      },
      duringFault: () => newSessionProblems(stage),
      heal: async () => {
        if (isRoot) await unmount(stage.dataDir);
        else for (const folder of folders.toReversed()) await chmod(folder, 0o700);
      },
      dispose: async () => undefined,
    };
  },
};

async function newSessionProblems({ work, dataDir }: Stage): Promise<string[]> {
  try {
    const agent = await createAgent({ model: demoModel(), root: work, dataDir, sessionId: "late" });
    await agent.close();
    return ["a new session could begin"];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = String(Reflect.get(Object(error), "code"));
    return /^(CONFIG_INVALID|JOURNAL_\w+)$/.test(code) ? [] : [`a new session fails without a clear error: ${message}`];
  }
}
