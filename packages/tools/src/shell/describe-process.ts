import { readProcFile } from "./process-id.ts";

const MAX_CHARS = 60;
const MAX_NAMED = 5;

/** A process as notices name it: its command line, shortened, and its pid. */
export function describeProcess({ pid, name }: { readonly pid: number; readonly name: string }): string {
  const words = readProcFile(pid, "cmdline")?.toString("utf8").split("\0").join(" ").trim();
  const line = printable(words === undefined || words === "" ? name : words);
  const characters = [...line];
  const short = characters.length > MAX_CHARS ? `${characters.slice(0, MAX_CHARS).join("")}…` : line;
  return `${short} (pid ${pid})`;
}

/** At most five names; the rest is counted. */
export function nameList(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${named} and ${names.length - MAX_NAMED} more` : named;
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").toWellFormed();
}
