import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BashResult, ToolOutcome } from "@spillway/tools";

/** Copies of command output that the toolbox gave whole and that a client is shown a part of. */
export interface OutputCopies {
  /** The outcome with the path of a copy for each stream that has none; as it is when there is nothing to save. */
  save(outcome: ToolOutcome): Promise<ToolOutcome>;
  /** Nothing is written any more. */
  close(): Promise<void>;
}

/** @param folder where the toolbox saves output. */
export function createOutputCopies(folder: string): OutputCopies {
  const saving = new Set<Promise<unknown>>();
  let sequence = 0;
  let closed = false;

  const write = async (label: string, text: string): Promise<string | undefined> => {
    if (closed || text === "") return undefined;
    sequence += 1;
    const path = join(folder, `${label}-${Date.now()}-whole-${sequence}.log`);
    const written = writeNew(folder, path, text);
    saving.add(written);
    const isWhole = await written.finally(() => saving.delete(written));
    return isWhole ? path : undefined;
  };

  const saved = async (result: BashResult): Promise<BashResult> => {
    // What was cut has its copy already, and a background command its log.
    if (result.truncated || result.id !== undefined) return result;
    const [stdout, stderr] = await Promise.all([write("stdout", result.stdout), write("stderr", result.stderr)]);
    return {
      ...result,
      stdoutInfo: { ...(stdout !== undefined && { spillPath: stdout }), ...result.stdoutInfo },
      stderrInfo: { ...(stderr !== undefined && { spillPath: stderr }), ...result.stderrInfo },
    };
  };

  return {
    save: async (outcome) => {
      if (outcome.tool !== "Bash" || outcome.result === undefined) return outcome;
      return outcome.ok
        ? { ...outcome, result: await saved(outcome.result) }
        : { ...outcome, result: await saved(outcome.result) };
    },
    close: async () => {
      closed = true;
      await Promise.all(saving);
    },
  };
}

/** Whether the file was written to its end; half a copy would be worse than none. */
async function writeNew(folder: string, path: string, text: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch {
    await rm(path, { force: true }).catch(() => undefined);
    return false;
  }
}
