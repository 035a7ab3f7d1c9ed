// A line too long to be shown, as a window around its match. Pure.

export interface ShownLine {
  readonly text: string;
  /** Only for a window: the 1-based character of the line that it begins at. */
  readonly column?: number;
  /** Only for a window: the characters of the whole line. */
  readonly lineChars?: number;
}

/**
 * The line `bytes[start, end)`, or `maxChars` characters of it around the byte `at`.
 */
export function shownLine(bytes: Buffer, start: number, end: number, at: number, maxChars: number): ShownLine {
  if (end - start <= maxChars) return { text: bytes.toString("utf8", start, end) };
  const lineChars = countChars(bytes, start, end);
  if (lineChars <= maxChars) return { text: bytes.toString("utf8", start, end) };
  const from = back(bytes, start, Math.min(at, end), maxChars >> 1);
  const to = forward(bytes, from, end, maxChars);
  const first = to === end ? back(bytes, start, end, maxChars) : from;
  return {
    text: bytes.toString("utf8", first, to),
    column: 1 + countChars(bytes, start, first),
    lineChars,
  };
}

/** Characters of UTF-8 bytes: all but those that go on with one. */
export function countChars(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (((bytes[at] as number) & 0xc0) !== 0x80) count += 1;
  return count;
}

function back(bytes: Buffer, start: number, from: number, chars: number): number {
  let at = from;
  for (let left = chars; left > 0 && at > start; ) {
    at -= 1;
    if (((bytes[at] as number) & 0xc0) !== 0x80) left -= 1;
  }
  while (at > start && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1;
  return at;
}

function forward(bytes: Buffer, from: number, end: number, chars: number): number {
  let at = from;
  for (let left = chars; left > 0 && at < end; left -= 1) {
    at += 1;
    while (at < end && ((bytes[at] as number) & 0xc0) === 0x80) at += 1;
  }
  return at;
}
