import { mkdir, rm } from "node:fs/promises";
import type { Fault } from "./stage.ts";

/** Calls fail and the model is told; the sessions themselves lie elsewhere. */
export const workspaceRemoved: Fault = {
  name: "workspace removed",
  prepare: async ({ work }) => ({
    callCodes: ["PATH_NOT_FOUND", "WORKSPACE_GONE", "CWD_NOT_FOUND", "TOOL_FAILED"],
    losesFiles: true,
    inject: () => rm(work, { recursive: true, force: true, maxRetries: 20 }),
    heal: async () => {
      await mkdir(work, { recursive: true });
    },
    dispose: async () => undefined,
  }),
};
