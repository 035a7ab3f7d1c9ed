/// <reference lib="es2024.string" />

/** The text with every lone surrogate replaced by U+FFFD: what UTF-8 would make of it. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/**
 * A flat copy without lone surrogates. A slice would keep the whole text it was cut from alive, so a result of some
 * kilobytes could hold on to hundreds of megabytes.
 */
export function ownText(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** UTF-8 bytes of one UTF-16 code unit; of a surrogate, which has a pair of four bytes or is written as U+FFFD, three. */
export function bytesOfUnit(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

export function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

/** Whether the code units at `index` and after it are one code point. */
export function isPairAt(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
