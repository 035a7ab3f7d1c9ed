import type { Risk } from "@spillway/tools";
import { type CommandGrant, commandGrant, covers } from "./command-grant.ts";

export const PERMISSION_MODES = ["ask", "accept-edits", "auto"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Why a call cannot simply run. */
export type PermissionReason = "edit" | "destructive" | "execute" | "outside" | "secret";

/** What a person is asked. */
export interface PermissionRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly reason: PermissionReason;
  /** The path that lies outside the roots or that holds a secret. */
  readonly path?: string;
  /** What "for the session" would allow, in words. */
  readonly scope: string;
}

export type PermissionAnswer = "once" | "session" | "deny";

/** Answers a request; whatever it does but answer `once` or `session` is a deny. */
export type PermissionHandler = (
  request: PermissionRequest,
  options: { readonly signal: AbortSignal },
) => PermissionAnswer | Promise<PermissionAnswer>;

/** What the grants of a session are asked about. */
export interface PermissionSubject {
  readonly toolName: string;
  readonly args: unknown;
  readonly reason: PermissionReason;
  readonly path?: string;
}

/** The reason a call of this risk needs a yes in this mode, or `undefined` when it may run. */
export function reasonToAsk(mode: PermissionMode, risk: Risk): PermissionReason | undefined {
  if (risk === "low" || mode === "auto") return undefined;
  if (risk === "edit") return mode === "accept-edits" ? undefined : "edit";
  return risk;
}

/** Outside paths are free in `auto` only; a secret path always needs a yes. */
export function pathNeedsYes(mode: PermissionMode, reason: "outside" | "secret"): boolean {
  return reason === "secret" || mode !== "auto";
}

/** The mode in which a call refused for this reason would have run; a secret path has none. */
export function modeThatAllows(reason: PermissionReason): PermissionMode | undefined {
  if (reason === "secret") return undefined;
  return reason === "edit" ? "accept-edits" : "auto";
}

/** What was allowed for the session. Nothing is allowed that was not added. */
export interface Grants {
  allows(subject: PermissionSubject): boolean;
  add(subject: PermissionSubject): void;
}

export function createGrants(): Grants {
  const exact = new Set<string>();
  const commands: CommandGrant[] = [];
  return {
    allows: (subject) =>
      subject.reason === "execute"
        ? commands.some((grant) => covers(grant, subject.args))
        : exact.has(grantKey(subject)),
    add: (subject) => {
      if (subject.reason === "execute") commands.push(commandGrant(subject.args));
      else exact.add(grantKey(subject));
    },
  };
}

/** What a grant for the session would cover, in words for a person. */
export function describeScope(subject: PermissionSubject): string {
  if (subject.reason === "execute") {
    const grant = commandGrant(subject.args);
    return grant.words === undefined ? "exactly this command" : `every plain "${grant.words.join(" ")} …" command`;
  }
  if (subject.path !== undefined) return `${subject.toolName} on "${subject.path}"`;
  return subject.reason === "destructive"
    ? `every ${subject.toolName}, removing and renaming included`
    : `every ${subject.toolName}`;
}

// A grant for plain edits never covers removing or renaming, and a path grant covers that path alone.
function grantKey(subject: PermissionSubject): string {
  return JSON.stringify([subject.reason, subject.toolName, subject.path ?? null]);
}
