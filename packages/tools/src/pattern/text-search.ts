// Finds fixed texts in bytes, whole or without regard to the case of ASCII letters.
import { MAX_NEEDLE_BYTES, type Needle, placeIn, type SearchKernel, searchKernel } from "../worker/kernel/search.ts";

export interface TextSearch {
  /** Where the first of the texts lies at or after `from`, or -1. */
  next(bytes: Buffer, from: number): number;
}

/**
 * @param folded ASCII letters match in either case.
 */
export function createTextSearch(texts: readonly string[], folded: boolean): TextSearch {
  const kernel = searchKernel();
  const finders = texts.map((text) => createFinder(createNeedle(text, folded), folded, kernel));
  const only = finders.length === 1 ? finders[0] : undefined;
  if (only !== undefined) return { next: only };
  const places = finders.map(() => 0);
  let searched: Buffer | undefined;
  let searchedFrom = 0;
  return {
    next: (bytes, from) => {
      // Places found earlier in the same bytes stay good while they lie ahead.
      const fresh = searched !== bytes || from < searchedFrom;
      searched = bytes;
      searchedFrom = from;
      let nearest = -1;
      for (const [index, find] of finders.entries()) {
        let place = places[index] ?? -1;
        if (fresh || (place !== -1 && place < from)) place = find(bytes, from);
        places[index] = place;
        if (place !== -1 && (nearest === -1 || place < nearest)) nearest = place;
      }
      return nearest;
    },
  };
}

type Finder = (bytes: Buffer, from: number) => number;

function createFinder(needle: Needle, folded: boolean, kernel: SearchKernel | undefined): Finder {
  const plain: Finder = folded
    ? (bytes, from) => findFolded(bytes, needle, from)
    : (bytes, from) => bytes.indexOf(needle.bytes, from);
  if (kernel === undefined || needle.bytes.length > MAX_NEEDLE_BYTES) return plain;
  return (bytes, from) => {
    const start = placeIn(kernel, bytes);
    if (start === -1) return plain(bytes, from);
    const place = kernel.find(needle, start + from, start + bytes.length);
    return place === -1 ? -1 : place - start;
  };
}

function createNeedle(text: string, folded: boolean): Needle {
  const bytes = Buffer.from(folded ? asciiLower(text) : text);
  const folds = Uint8Array.from(bytes, (byte) => (folded && byte >= 0x61 && byte <= 0x7a ? 32 : 0));
  const order = Array.from(bytes, (byte, index) => ({ index, rank: commonness(byte) }));
  order.sort((left, right) => left.rank - right.rank);
  const one = order[0]?.index ?? 0;
  return { bytes, folds, one, two: order[1]?.index ?? one };
}

function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What code and prose consist of, the most common first. */
const COMMON = " etaonrisl\n\tcdupmhfgby.,_();-\"'=vwkx/:>{}01[]*2<j";

/** How common a byte is; 0 for those that are rare. */
export function commonness(byte: number): number {
  const place = COMMON.indexOf(String.fromCharCode(byte));
  return place === -1 ? 0 : COMMON.length - place;
}

function findFolded(bytes: Uint8Array, { bytes: wanted, folds, one }: Needle, from: number): number {
  const first = wanted[one] as number;
  const fold = folds[one] as number;
  const last = bytes.length - wanted.length;
  for (let at = from; at <= last; at += 1) {
    if (((bytes[at + one] as number) | fold) === first && foldedAt(bytes, wanted, folds, at)) return at;
  }
  return -1;
}

function foldedAt(bytes: Uint8Array, wanted: Uint8Array, folds: Uint8Array, at: number): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    if (((bytes[at + index] as number) | (folds[index] as number)) !== wanted[index]) return false;
  }
  return true;
}
