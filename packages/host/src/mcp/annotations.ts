import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Risk, ToolName } from "@spillway/tools";

const BY_RISK: Readonly<Record<Risk, ToolAnnotations>> = {
  low: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  edit: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  execute: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

const TITLES: Readonly<Record<ToolName, string>> = {
  Read: "Read a file",
  Glob: "Find files by name",
  Grep: "Search in files",
  Bash: "Run a command",
  Write: "Write a file",
  Edit: "Edit a file",
};

/** What a client may tell its user, or decide by, before it lets a call through. */
export function annotationsOf(tool: { readonly name: ToolName; readonly risk: Risk }): ToolAnnotations {
  // The same text written twice is the same file.
  const again = tool.name === "Write" ? { idempotentHint: true } : {};
  return { title: TITLES[tool.name], ...BY_RISK[tool.risk], ...again };
}
