/**
 * The share of bytes above 7F that are part of a valid UTF-8 sequence, 0 to 1; 1 when there are none. A sequence that the
 * end cuts off is no fault where others are whole.
 */
export function validShare(bytes: Uint8Array): number {
  let high = 0;
  let valid = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceAt(bytes, index);
    if (length === 0 && valid > 0 && isCutOff(bytes, index)) break;
    if ((bytes[index] ?? 0) >= 0x80) {
      high += Math.max(1, length);
      valid += length;
    }
    index += Math.max(1, length);
  }
  return high === 0 ? 1 : valid / high;
}

/** Length of the valid UTF-8 sequence that begins here; 0 when none does. */
function sequenceAt(bytes: Uint8Array, index: number): number {
  const lead = bytes[index] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (let offset = 1; offset < length; offset++) {
    if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[index + 1] ?? 0;
  const isTooLong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90);
  const isOutside = (lead === 0xed && second > 0x9f) || (lead === 0xf4 && second > 0x8f);
  return isTooLong || isOutside ? 0 : length;
}

function isCutOff(bytes: Uint8Array, index: number): boolean {
  const lead = bytes[index] ?? 0;
  const present = bytes.length - index;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || present >= needed) return false;
  return bytes.subarray(index + 1).every((byte) => (byte & 0xc0) === 0x80);
}
