import type { OutcomeError } from "../../src/outcome.ts";
import type { ReadResult } from "../../src/read.ts";
import type { Toolbox } from "../../src/toolbox.ts";

type Caller = Pick<Toolbox, "call">;

/** The result of a Read that is expected to succeed. */
export async function readOk(caller: Caller, args: object): Promise<ReadResult> {
  const outcome = await caller.call("Read", args);
  if (!outcome.ok) throw new Error(`Read ${JSON.stringify(args)} failed: ${outcome.error.message}`);
  return outcome.result as ReadResult;
}

/** The error of a Read that is expected to fail. */
export async function readError(caller: Caller, args: object): Promise<OutcomeError> {
  const outcome = await caller.call("Read", args);
  if (outcome.ok) throw new Error(`Read ${JSON.stringify(args)} did not fail`);
  return outcome.error;
}

/** The call itself, or the one that is offered where its range has too many tokens; that one shows its range in full. */
export async function askedOrOffered(caller: Caller, args: object): Promise<object> {
  const outcome = await caller.call("Read", args);
  if (outcome.ok) return args;
  if (outcome.error.code !== "RANGE_TOO_LARGE") throw new Error(outcome.error.message);
  return Object(outcome.error.details?.arguments);
}

/** The numbered lines of a page: line number to text. */
export function shownLines({ content }: Pick<ReadResult, "content">): Map<number, string> {
  const rows = content.split("\n").slice(1);
  return new Map(
    rows.map((row) => {
      const colon = row.indexOf(":");
      return [Number(row.slice(0, colon)), row.slice(colon + 1)];
    }),
  );
}
