// What a call of any agent's tool is about: which kind, which files, which lines of them.
import { createHash } from "node:crypto";
import type { CallKind, CallTarget, ReadRange } from "./fact.ts";
import { isRecord, type Json, numberAt, stringAt } from "./json.ts";

/** Pure; of the arguments only paths, line numbers and a hash are kept. */
export function callTarget(tool: string, args: unknown): CallTarget {
  const record = isRecord(args) ? args : {};
  const key = createHash("sha1")
    .update(`${tool}\n${JSON.stringify(args) ?? ""}`)
    .digest("base64url");
  const callKind = kindOf(tool);
  if (callKind === "command") {
    const read = readByCommand(commandOf(record));
    return read === undefined ? { callKind, paths: [], key } : { ...read, key };
  }
  const paths = pathsOf(record, callKind);
  const isOneRead = callKind === "read" && paths.length === 1;
  return { callKind, paths, key, ...(isOneRead ? { range: rangeOf(record) } : {}) };
}

const NAMES: readonly (readonly [CallKind, RegExp])[] = [
  [
    "edit",
    /^(write|edit|multi_?edit|notebook_?edit|replace|apply_?patch|str_?replace\w*|create|delete|write_?file|edit_?file)/,
  ],
  ["search", /^(grep|glob|ls|find|search\w*|list\w*|rg|ripgrep|web_?search|tool_?search)$/],
  ["read", /^(read\w*|view\w*|cat|open\w*|get_?file\w*|fetch_?file)$/],
  ["command", /^(bash|shell\w*|exec\w*|run_?shell\w*|run_?command|terminal|local_?shell\w*|unified_?exec|powershell)$/],
];

function kindOf(tool: string): CallKind {
  // An MCP tool is named server and tool.
  const name = (tool.split("__").at(-1) ?? tool).replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
}

const PATH_NAMES = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "filename",
  "file",
  "target_file",
];

function pathsOf(record: Json, kind: CallKind): string[] {
  const patch = stringAt(record, "input") ?? stringAt(record, "patch") ?? "";
  const patched = [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+?)\r?$/gm)].flatMap(
    (match) => match[1] ?? [],
  );
  const listed = Array.isArray(record.paths) ? record.paths.filter((path) => typeof path === "string") : [];
  const named = PATH_NAMES.map((name) => stringAt(record, name)).find((path) => path !== undefined);
  // A search names the folder it looks into: its result is not the folder's content.
  if (kind === "search" || kind === "other") return [];
  return [...new Set([...(named === undefined ? [] : [named]), ...listed, ...patched])];
}

function rangeOf(record: Json): ReadRange {
  const start = numberAt(record, "offset") ?? numberAt(record, "line_offset") ?? numberAt(record, "start_line") ?? 1;
  const limit = numberAt(record, "limit") ?? numberAt(record, "n_lines");
  const end = numberAt(record, "end_line") ?? (limit === undefined ? undefined : start + limit - 1);
  return { start, ...(end === undefined ? {} : { end }) };
}

function commandOf(record: Json): string {
  const { command, cmd, action } = record;
  const given = command ?? cmd ?? (isRecord(action) ? action.command : undefined);
  if (!Array.isArray(given)) return typeof given === "string" ? given : "";
  const words = given.filter((word) => typeof word === "string");
  // A shell and its -c.
  return /^-\w*c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}

/** `cat FILE` and its like, alone: agents without a reading tool read so. */
function readByCommand(command: string): Omit<CallTarget, "key"> | undefined {
  const text = command.trim();
  const match =
    /^(?:cat|nl|head|tail|sed|bat)((?:\s+-\S+|\s+'?\d+(?:,\d+)?p?'?|\s+"\d+(?:,\d+)?p")*)\s+(?:--\s+)?(?:"([^"$`]+)"|'([^']+)'|([^\s;|&<>$`'"*?]+))$/.exec(
      text,
    );
  const path = match?.[2] ?? match?.[3] ?? match?.[4];
  if (path === undefined) return undefined;
  const options = match?.[1] ?? "";
  const lines = /(\d+),(\d+)p/.exec(options);
  if (lines !== null)
    return { callKind: "read", paths: [path], range: { start: Number(lines[1]), end: Number(lines[2]) } };
  const first = /^head\b/.test(text) ? Number(/(\d+)/.exec(options)?.[1] ?? 10) : undefined;
  // The lines that `tail` and other expressions show are known only to who ran them.
  if (/^(tail|sed)\b/.test(text)) return { callKind: "read", paths: [path] };
  return { callKind: "read", paths: [path], range: { start: 1, ...(first === undefined ? {} : { end: first }) } };
}
