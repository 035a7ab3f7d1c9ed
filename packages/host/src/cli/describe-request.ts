import type { PermissionRequest } from "../permission.ts";
import { describeCall } from "./describe.ts";
import { plainText } from "./style.ts";

/** Lines of a file's new text that are shown before the question. */
const MAX_LINES = 40;
const MAX_JSON_CHARS = 2000;

/**
 * All that a person needs to see before a yes, without what could drive the terminal: a command whole, with its folder
 * and variables, and the beginning of what is to be written. Lines after the first are set in.
 */
export function describeRequest({ toolName, args, reason, path }: PermissionRequest): string {
  const about = path === undefined ? "" : ` — ${reason} path "${path}"`;
  const [first = "", ...rest] = plainText(describeCall(toolName, args) + about).split("\n");
  return [first, ...[...rest, ...details(toolName, Object(args))].map((line) => `    ${line}`)].join("\n");
}

function details(toolName: string, args: object): string[] {
  const field = (name: string): unknown => Reflect.get(args, name);
  switch (toolName) {
    case "Bash": {
      const variables = Object.entries(Object(field("env"))).map(([name, value]) => `with ${name}=${String(value)}`);
      const folder = field("cwd") === undefined ? [] : [`in ${String(field("cwd"))}`];
      const background = field("background") === true ? ["in the background"] : [];
      return [...folder, ...variables, ...background].map(onOneLine);
    }
    case "Write":
      return beginning(field("content"));
    case "Edit":
      return beginning(field("ops"));
    case "Read":
    case "Grep":
    case "Glob":
      return [];
    default:
      return beginning(JSON.stringify(args)?.slice(0, MAX_JSON_CHARS));
  }
}

function onOneLine(text: string): string {
  return plainText(text).replaceAll("\n", "\\n");
}

function beginning(text: unknown): string[] {
  if (typeof text !== "string") return [];
  const lines = plainText(text).replace(/\n$/, "").split("\n");
  const left = lines.length - MAX_LINES;
  return left > 0 ? [...lines.slice(0, MAX_LINES), `… and ${left} more lines`] : lines;
}
