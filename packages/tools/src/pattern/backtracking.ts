// Look-around and back references need JavaScript's own engine. Its time has no bound: such searches run under a limit.
import type { Extent, TextMatcher } from "./text-matcher.ts";

/** The first match from `lastIndex` on; its engine may begin or end an empty match inside a character, which is none. */
export function execAtBorders(expression: RegExp, text: string): RegExpExecArray | null {
  for (;;) {
    const match = expression.exec(text);
    if (match === null || isBorder(text, match.index)) return match;
    expression.lastIndex = match.index + 1;
  }
}

/** @param expression global, over text whose line ends are line feeds. */
export function backtrackingTextMatcher(expression: RegExp): TextMatcher {
  let searched: Uint8Array | undefined;
  let text = "";
  // A place that is known both in bytes and in the text's own units.
  let byte = 0;
  let unit = 0;
  const moveToByte = (bytes: Uint8Array, wanted: number): void => {
    if (searched !== bytes || wanted < byte) {
      if (searched !== bytes) text = toText(bytes, 0, bytes.length);
      searched = bytes;
      byte = 0;
      unit = 0;
    }
    unit += toText(bytes, byte, wanted).length;
    byte = wanted;
  };
  const moveToUnit = (wanted: number): number => {
    byte += Buffer.byteLength(text.slice(unit, wanted));
    unit = wanted;
    return byte;
  };
  return {
    find: (bytes, from): Extent | undefined => {
      moveToByte(bytes, from);
      expression.lastIndex = unit;
      const match = execAtBorders(expression, text);
      if (match === null) return undefined;
      const start = moveToUnit(match.index);
      return { start, end: start + Buffer.byteLength(match[0]) };
    },
  };
}

function toText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", start, end);
}

function isBorder(text: string, index: number): boolean {
  const isTrail = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
  return !(isTrail && index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800);
}
