import { CHECKPOINT_MARKER, type TokenCounter, truncateMiddle } from "@spillway/limits";
import { countOutput } from "./estimate.ts";
import type { JSONValue, ToolResultOutput } from "./message.ts";
import { fairLevel } from "./share.ts";
import { storableJson } from "./storable.ts";
import { outputText } from "./transcript-text.ts";

/** The text within the tokens: whole, or 75 % head and 25 % tail around the checkpoint marker; at least the marker. */
export function shortenText(text: string, maxTokens: number, counter: TokenCounter): string {
  if (counter(text) <= maxTokens) return text;
  let allowance = Math.max(0, Math.floor(maxTokens));
  while (allowance > 0) {
    const { text: cut } = truncateMiddle(text, allowance, { marker: CHECKPOINT_MARKER });
    const counted = counter(cut);
    if (counted <= maxTokens || cut === CHECKPOINT_MARKER) return cut;
    allowance = Math.min(Math.floor(allowance * 0.97), Math.floor((allowance * maxTokens) / counted));
  }
  return CHECKPOINT_MARKER;
}

/** An output within the tokens: its error flag and a refusal stay, files are named, text is cut 75/25. */
export function shortenOutput(output: ToolResultOutput, maxTokens: number, counter: TokenCounter): ToolResultOutput {
  if (countOutput(output, counter) <= maxTokens) return output;
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: shortenText(output.value, maxTokens, counter) };
    case "json":
      return { ...output, type: "text", value: shortenText(storableJson(output.value), maxTokens, counter) };
    case "error-json":
      return { ...output, type: "error-text", value: shortenText(storableJson(output.value), maxTokens, counter) };
    case "execution-denied":
      return { ...output, reason: shortenText(output.reason ?? "", maxTokens, counter) };
    default:
      return { type: "text", value: shortenText(outputText(output), maxTokens, counter) };
  }
}

/** Call arguments within the tokens: long strings are cut in place, so that the shape stays what the tool's schema says. */
export function shortenInput(input: unknown, maxTokens: number, counter: TokenCounter): unknown {
  const json = storableJson(input);
  if (counter(json) <= maxTokens) return input;
  const value: JSONValue = JSON.parse(json);
  const sizes = stringsOf(value).map(counter);
  const texts = sizes.reduce((sum, size) => sum + size, 0);
  let room = maxTokens - (counter(json) - texts);
  while (room > 0) {
    const level = fairLevel(sizes, room);
    const cut = mapStrings(value, (text) => shortenText(text, level, counter));
    const counted = counter(storableJson(cut));
    if (counted <= maxTokens) return cut;
    room = Math.min(Math.floor(room * 0.9), Math.floor((room * maxTokens) / counted) - 1);
  }
  return { checkpoint_truncated: shortenText(json, Math.floor(maxTokens * 0.8) - 12, counter) };
}

function stringsOf(value: JSONValue | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

function mapStrings(value: JSONValue, change: (text: string) => string): JSONValue {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : mapStrings(item, change)]),
  );
}
