import fc from "fast-check";

const PIECES = [
  "",
  "a",
  "word ",
  "汉",
  "é",
  "🎈",
  "👩‍👩‍👧",
  "e\u0301",
  "\ud83d",
  "\udf88",
  "\ufeff",
  "\0",
  "\r",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "x".repeat(40),
  "汉".repeat(30),
  "🎈".repeat(20),
];

/** Lines of every kind, lone surrogates included, some of them long. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 24 })
  .map((pieces) => pieces.join(""));

/** Bytes that are mostly UTF-8, and sometimes not. */
export const arbitraryBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      arbitraryText.map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom(
        ...[
          [0xe4],
          [0xb8, 0xad],
          [0xf0, 0x9f],
          [0x8e, 0x88],
          [0xe0, 0x80],
          [0xed, 0xa0, 0x80],
          [0xc0],
          [0xff],
          [0xef, 0xbb, 0xbf],
        ].map((bytes) => Uint8Array.from(bytes)),
      ),
    ),
    { maxLength: 8 },
  )
  .map(joinBytes);

/** The bytes cut into chunks at random places; empty chunks among them. */
export function arbitraryChunks(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array[]> {
  return fc.tuple(bytes, fc.array(fc.nat(), { maxLength: 12 })).map(([whole, cuts]) => {
    const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
    return places.slice(1).map((end, index) => whole.subarray(places[index], end));
  });
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
