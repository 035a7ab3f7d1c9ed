import type { Risk } from "@spillway/tools";
import { fileIdentity } from "./file-identity.ts";
import type { CallEffect } from "./order.ts";
import type { RequestedCall } from "./step.ts";

/** What a call does to which files. A call that will not run, or a tool we do not know, is ordered by its risk alone. */
export async function callEffect(call: RequestedCall, risk: Risk, root: string): Promise<CallEffect> {
  if (call.problem !== undefined) return { kind: "read", paths: [] };
  const paths = (): Promise<string[]> => Promise.all(namedPaths(call).map((path) => fileIdentity(root, path)));
  switch (call.toolName) {
    case "Read":
      return { kind: "read", paths: await paths() };
    case "Write":
    case "Edit":
      return { kind: "mutation", paths: await paths() };
    default:
      return risk === "low" ? { kind: "search" } : { kind: "shell" };
  }
}

/** The path of a Read, Write or Edit and, for an Edit that renames, where to. */
export function namedPaths(call: Pick<RequestedCall, "toolName" | "input">): string[] {
  const { input } = call;
  if (typeof input !== "object" || input === null) return [];
  const path = "path" in input && typeof input.path === "string" ? [input.path] : [];
  const ops = call.toolName === "Edit" && "ops" in input && typeof input.ops === "string" ? input.ops : "";
  const renames = [...ops.matchAll(/^MV[ \t]+(.+?)[ \t\r]*$/gm)].flatMap((match) => match[1] ?? []);
  return [...path, ...renames];
}
