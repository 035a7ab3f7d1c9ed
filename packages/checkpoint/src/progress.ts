import { CheckpointError } from "./error.ts";

/** Counts checkpoints between two accepted requests, so that a run that cannot make room ends. */
export interface ProgressGuard {
  /** Before each checkpoint. @throws CheckpointError `CONTEXT_COMPACTION_FAILED` at the fourth in a row */
  beforeCheckpoint(): void;
  /** After a request that the provider accepted. */
  requestAccepted(): void;
}

export function createProgressGuard(): ProgressGuard {
  let inRow = 0;
  return {
    beforeCheckpoint() {
      if (inRow >= MAX_IN_ROW) {
        throw new CheckpointError(
          "CONTEXT_COMPACTION_FAILED",
          `${inRow} checkpoints in a row made no room for a request — use a model with a larger window, or start a new session`,
          { details: { reason: "no-progress", checkpoints: inRow } },
        );
      }
      inRow += 1;
    },
    requestAccepted() {
      inRow = 0;
    },
  };
}

const MAX_IN_ROW = 3;
