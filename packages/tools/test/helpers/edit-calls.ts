import type { EditResult } from "../../src/edit.ts";
import type { OutcomeError, ToolOutcome } from "../../src/outcome.ts";
import type { ReadResult } from "../../src/read.ts";
import type { WriteResult } from "../../src/write.ts";

/** What makes calls: a workspace's first session, or a toolbox. */
export interface Caller {
  call(name: string, args: unknown): Promise<ToolOutcome>;
}

export async function read(
  caller: Caller,
  path: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ReadResult> {
  const outcome = await caller.call("Read", { path, ...args });
  if (outcome.ok && outcome.tool === "Read") return outcome.result;
  throw new Error(`Read failed: ${JSON.stringify(outcome)}`);
}

export async function write(
  caller: Caller,
  path: string,
  content: string,
  overwrite: boolean = false,
): Promise<WriteResult> {
  const outcome = await caller.call("Write", { path, content, overwrite });
  if (outcome.ok && outcome.tool === "Write") return outcome.result;
  throw new Error(`Write failed: ${JSON.stringify(outcome)}`);
}

export function edited(outcome: ToolOutcome): EditResult {
  if (outcome.ok && outcome.tool === "Edit") return outcome.result;
  throw new Error(`Edit failed: ${JSON.stringify(outcome)}`);
}

export function refused(outcome: ToolOutcome): OutcomeError {
  if (!outcome.ok) return outcome.error;
  throw new Error(`${outcome.tool} succeeded: ${JSON.stringify(outcome.result)}`);
}

export async function edit(caller: Caller, path: string, tag: string, ops: string): Promise<EditResult> {
  return edited(await caller.call("Edit", { path, tag, ops }));
}

export async function refusedEdit(caller: Caller, path: string, tag: string, ops: string): Promise<OutcomeError> {
  return refused(await caller.call("Edit", { path, tag, ops }));
}

/** Read, then Edit with the tag that was read. */
export async function readAndEdit(caller: Caller, path: string, ops: string): Promise<EditResult> {
  const { tag } = await read(caller, path);
  return edit(caller, path, tag, ops);
}
