import { callText } from "../search/call-text.ts";

/** A search's notice once only `kept` of its matches have room: what was said about more is said anew. */
export function withoutMore(
  notice: string | undefined,
  unit: "files" | "matches",
  kept: number,
  tool: string,
  next: Record<string, unknown> | undefined,
): string {
  const facts = (notice ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("There are more "));
  const on =
    next === undefined ? `repeat the call with its offset raised by ${kept}` : `go on with ${callText(tool, next)}`;
  return [...facts, `There are more ${unit}, cut to the room that is left: ${on}.`].join("\n");
}
