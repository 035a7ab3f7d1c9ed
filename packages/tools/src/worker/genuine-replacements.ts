import type { EncodingName } from "../encoding.ts";

/** How U+FFFD itself is written in the encodings that have it. */
const REPLACEMENT_BYTES: Partial<Record<EncodingName, Uint8Array>> = {
  "utf-8": Uint8Array.of(0xef, 0xbf, 0xbd),
  "utf-16le": Uint8Array.of(0xfd, 0xff),
  "utf-16be": Uint8Array.of(0xff, 0xfd),
  gb18030: Uint8Array.of(0x84, 0x31, 0xa4, 0x37),
};

/** How many U+FFFD the bytes hold on purpose; the others that decoding gives stand for faults. */
export function genuineReplacements(bytes: Uint8Array, name: EncodingName): number {
  const wanted = REPLACEMENT_BYTES[name];
  if (wanted === undefined) return 0;
  const unit = wanted.length === 2 ? 2 : 1;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(wanted); at !== -1; at = buffer.indexOf(wanted, at + 1)) {
    if (at % unit === 0) count += 1;
  }
  return count;
}
