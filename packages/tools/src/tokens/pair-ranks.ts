/** The rank of a token by its bytes, one code unit (0 to 255) a byte; undefined: no token. */
export type Ranks = Pick<ReadonlyMap<string, number>, "get">;

/** Ranks of neighbouring parts: both are known by their own ranks, so most answers come without building a string. */
export interface PairRanks {
  /** The rank of a single byte; every byte is a token. */
  ofByte(byte: number): number;
  /** The rank of the token that two neighbours make together; `NO_TOKEN` when they make none. */
  ofPair(left: number, right: number, piece: string, start: number, end: number): number;
}

/** Above every rank. */
export const NO_TOKEN = 0x3fffffff;

/** Answers that are remembered, each in the one place its pair has: 2^18 of them, 4 MB. */
const PLACE_BITS = 18;
/** A place holds left part, right part and answer, and fills a quarter of a cache line. */
const PLACE_FIELDS = 4;

export function createPairRanks(ranks: Ranks): PairRanks {
  const places = new Int32Array(PLACE_FIELDS << PLACE_BITS).fill(-1);
  const bytes = Int32Array.from({ length: 256 }, (_, byte) => ranks.get(String.fromCharCode(byte)) ?? NO_TOKEN);
  return {
    ofByte: (byte) => bytes[byte] ?? NO_TOKEN,
    ofPair: (left, right, piece, start, end) => {
      const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
      const place = (mixed >>> (32 - PLACE_BITS)) * PLACE_FIELDS;
      if (places[place] === left && places[place + 1] === right) return places[place + 2] ?? NO_TOKEN;
      const answer = ranks.get(piece.slice(start, end)) ?? NO_TOKEN;
      places[place] = left;
      places[place + 1] = right;
      places[place + 2] = answer;
      return answer;
    },
  };
}
