import type { CharSet } from "./char-set.ts";

/** Class of a line feed that ends a line: it belongs to no set. */
export const LINE_FEED = 0;
/** Class of a carriage return where it may belong to the line's end. */
export const CARRIAGE_RETURN = 1;
/** Class of a byte that is no UTF-8; no set holds it. */
export const INVALID = 2;
/** Class of a line feed that is a character like others. */
export const TEXT_FEED = 3;
/** Class that nothing belongs to: entries of it are never known. */
export const NO_CLASS = 4;
/** Most classes: one byte holds a class. */
const MAX_CLASSES = 256;

export const WORD_BIT = 1;
export const ASCII_WORD_BIT = 2;

/** Sorts code points into classes whose members no set of the program tells apart. */
export interface Classifier {
  /** Classes of the 128 ASCII bytes. */
  readonly ofAscii: Uint8Array;
  /** Class of any other code point; classes are added as they turn up. */
  ofCode(code: number): number;
  /** How many classes there are by now. */
  count(): number;
  inSet(cls: number, set: number): boolean;
  /** `WORD_BIT` and `ASCII_WORD_BIT` of the class's members. */
  wordBits(cls: number): number;
  /** The class that a carriage return has when it is text. */
  readonly textReturn: number;
}

interface Traits {
  readonly members: Uint8Array;
  readonly wordBits: number;
}

const IS_WORD = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const NO_TRAITS: Traits = { members: new Uint8Array(0), wordBits: 0 };

/** @param words whether the program asks for word boundaries at all; if not, no class is split for them. */
export function createClassifier(sets: readonly CharSet[], words: boolean): Classifier {
  const traits: Traits[] = [
    NO_TRAITS,
    NO_TRAITS,
    NO_TRAITS,
    { members: Uint8Array.from(sets, (set) => (set.has(10) ? 1 : 0)), wordBits: 0 },
    NO_TRAITS,
  ];
  const classOfTraits = new Map<string, number>();
  const astral = new Map<number, number>();
  let plane: Uint8Array | undefined;

  const classify = (code: number): number => {
    const char = String.fromCodePoint(code);
    const members = Uint8Array.from(sets, (set) => (set.has(code) ? 1 : 0));
    const wordBits = words ? (IS_WORD.test(char) ? WORD_BIT : 0) | (/^\w$/.test(char) ? ASCII_WORD_BIT : 0) : 0;
    const key = `${members.join("")}${wordBits}`;
    const known = classOfTraits.get(key);
    if (known !== undefined) return known;
    if (traits.length >= MAX_CLASSES) throw new RangeError("The pattern tells more than 250 kinds of characters apart");
    const cls = traits.push({ members, wordBits }) - 1;
    classOfTraits.set(key, cls);
    return cls;
  };

  const ofAscii = Uint8Array.from({ length: 128 }, (_, code) => (code === 10 ? LINE_FEED : classify(code)));
  const textReturn = ofAscii[13] ?? INVALID;
  ofAscii[13] = CARRIAGE_RETURN;
  return {
    ofAscii,
    ofCode: (code) => {
      if (code > 0xffff) return remember(astral, code, classify);
      plane ??= new Uint8Array(0x10000);
      // 0 is the line feed's class, so it can stand for "not known yet".
      const known = plane[code] ?? 0;
      if (known !== 0) return known;
      const cls = classify(code);
      plane[code] = cls;
      return cls;
    },
    count: () => traits.length,
    inSet: (cls, set) => traits[cls]?.members[set] === 1,
    wordBits: (cls) => traits[cls]?.wordBits ?? 0,
    textReturn,
  };
}

/** Code points beyond the first plane whose class is remembered. */
const MAX_REMEMBERED = 65_536;

function remember(known: Map<number, number>, code: number, classify: (code: number) => number): number {
  const found = known.get(code);
  if (found !== undefined) return found;
  if (known.size >= MAX_REMEMBERED) known.clear();
  const cls = classify(code);
  known.set(code, cls);
  return cls;
}
