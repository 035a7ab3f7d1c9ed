/** The code point that starts at `at`, a byte of 0x80 or above; -1 when the bytes there are no UTF-8. */
export function decodeCode(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number;
  const second = at + 1 < end ? (bytes[at + 1] as number) : 0;
  if (lead < 0xc2 || (second & 0xc0) !== 0x80) return -1;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | (second & 0x3f);
  const third = at + 2 < end ? (bytes[at + 2] as number) : 0;
  if (lead > 0xf4 || (third & 0xc0) !== 0x80) return -1;
  if (lead < 0xf0) {
    const code = ((lead & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
    return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? -1 : code;
  }
  const fourth = at + 3 < end ? (bytes[at + 3] as number) : 0;
  if ((fourth & 0xc0) !== 0x80) return -1;
  const code = ((lead & 0x7) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
  return code < 0x10000 || code > 0x10ffff ? -1 : code;
}

/** Bytes that UTF-8 needs for a code point. */
export function widthOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Where the character begins that ends in front of `at`. */
export function codeBefore(bytes: Uint8Array, at: number): number {
  let start = at - 1;
  while (start > 0 && start > at - 4 && ((bytes[start] as number) & 0xc0) === 0x80) start -= 1;
  return start;
}
