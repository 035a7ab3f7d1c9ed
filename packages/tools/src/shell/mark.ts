// Every process of a call carries the call's mark in its environment, whatever session or parent it moves to.
import { createHash } from "node:crypto";
import type { ProcessId } from "./process-id.ts";

/** The variable; a host that is itself run by a command keeps the outer mark, so its commands end with that command too. */
export const MARK_VARIABLE = "SPILLWAY_CALL";

/** What the marks of one session begin with, also those of an earlier host of the same session. `scratchDir` is unique to the session. */
export function sessionMark(scratchDir: string): string {
  return createHash("sha256").update(scratchDir).digest("hex").slice(0, 20);
}

/** The mark of one call: `<session>.<host pid>-<host start>.<call>.`; the final dot keeps call 1 from matching call 10. */
export function callMark(session: string, host: ProcessId, call: number): string {
  return `${session}.${host.pid}-${host.start}.${call}.`;
}

/** What the marks of all calls of one host in a session begin with. */
export function hostMark(session: string, host: ProcessId): string {
  return `${session}.${host.pid}-${host.start}.`;
}

/** The variable's value for a call of a host whose own environment may hold the mark of an outer one. */
export function markValue(outer: string | undefined, mark: string): string {
  return outer === undefined || outer === "" ? mark : `${outer},${mark}`;
}

/** The host that made a mark of this session which stands in `environ`; undefined when none does. */
export function hostOfMark(environ: Buffer, session: string): ProcessId | undefined {
  const at = environ.indexOf(`${session}.`);
  if (at < 0) return undefined;
  const found = /^\.(\d+)-(\d+)\./.exec(environ.toString("latin1", at + session.length, at + session.length + 64));
  return found === null ? undefined : { pid: Number(found[1]), start: Number(found[2]) };
}
