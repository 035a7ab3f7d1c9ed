import { createStreamDecoder, decodePiece } from "./decode.ts";
import { FREQUENT_HANGUL, FREQUENT_KANJI, FREQUENT_SIMPLIFIED, FREQUENT_TRADITIONAL } from "./frequent-characters.ts";
import { scoreWestern } from "./guess-western.ts";
import type { EncodingName } from "./names.ts";
import { validShare } from "./utf8-share.ts";

/** From this share of bytes in valid sequences on, a text with faults is UTF-8 with faults and nothing else. */
const SURE_UTF8_SHARE = 0.9;
/** Below this the bytes are evidence for no encoding. */
const MIN_SCORE = 0.2;
/** One undecodable character in this many is a fault of the file, more are a fault of the guess. */
const CHARS_PER_FAULT = 400;

/** The encoding that explains bytes which are not valid UTF-8 best; `utf-8` when none does. */
export function guessLegacy(sample: Uint8Array): EncodingName {
  const share = validShare(sample);
  if (share >= SURE_UTF8_SHARE) return "utf-8";
  // In a few bytes of another encoding half of them can be valid UTF-8 by chance.
  let best: { name: EncodingName; score: number } = { name: "utf-8", score: Math.max(MIN_SCORE, 2 * share - 1) };
  for (const candidate of candidates()) {
    const score = candidate.score(sample);
    if (score > best.score) best = { name: candidate.name, score };
  }
  return best.name;
}

interface Candidate {
  readonly name: EncodingName;
  /** How much the bytes look like ordinary text of this encoding, about 0 to 1. */
  score(sample: Uint8Array): number;
}

/** In order of preference where scores are equal. */
function candidates(): readonly Candidate[] {
  return [
    { name: "windows-1252", score: scoreWestern },
    { name: "gb18030", score: (sample) => scoreCjk(sample, "gb18030", simplified()) },
    { name: "big5", score: (sample) => scoreCjk(sample, "big5", traditional()) },
    { name: "shift_jis", score: (sample) => scoreCjk(sample, "shift_jis", japanese()) },
    { name: "euc-jp", score: (sample) => scoreCjk(sample, "euc-jp", japaneseUnix()) },
    { name: "euc-kr", score: (sample) => scoreCjk(sample, "euc-kr", korean()) },
  ];
}

/** Code point to weight; a character that is not in it is rare. */
type Weights = ReadonlyMap<number, number>;

const FREQUENT = 1;
const PUNCTUATION = 0.7;
const COMMON = 0.4;
const RARE = 0;
const IMPLAUSIBLE = -1;

function scoreCjk(sample: Uint8Array, name: EncodingName, weights: Weights): number {
  // A character that the end cuts off is no fault.
  const text = createStreamDecoder({ name, bom: false }).write(sample);
  let chars = 0;
  let faults = 0;
  let sum = 0;
  for (const char of text) {
    const codePoint = char.codePointAt(0) ?? 0;
    if (codePoint < 0x80) continue;
    chars += 1;
    if (codePoint === 0xfffd) faults += 1;
    else sum += weights.get(codePoint) ?? (isImplausible(codePoint) ? IMPLAUSIBLE : RARE);
  }
  if (chars === 0 || faults > chars / CHARS_PER_FAULT) return 0;
  return sum / chars;
}

/** Control characters, private use, half-width katakana: valid bytes that ordinary text does not have. */
function isImplausible(codePoint: number): boolean {
  if (codePoint < 0xa0 || (codePoint >= 0xe000 && codePoint <= 0xf8ff) || codePoint >= 0xf0000) return true;
  return codePoint >= 0xff61 && codePoint <= 0xff9f;
}

const cache = new Map<string, Weights>();

function weightsOf(key: string, make: () => Weights): Weights {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}

function simplified(): Weights {
  return weightsOf("simplified", () => weigh(FREQUENT_SIMPLIFIED, "gb18030", [[0xb0, 0xd7, 0xa1, 0xfe]]));
}

function traditional(): Weights {
  return weightsOf("traditional", () =>
    weigh(FREQUENT_TRADITIONAL, "big5", [
      [0xa4, 0xc6, 0x40, 0x7e],
      [0xa4, 0xc6, 0xa1, 0xfe],
    ]),
  );
}

function japanese(): Weights {
  return weightsOf("japanese", () =>
    withKana(
      weigh(FREQUENT_KANJI, "shift_jis", [
        [0x89, 0x97, 0x40, 0x7e],
        [0x89, 0x97, 0x80, 0xfc],
      ]),
    ),
  );
}

function japaneseUnix(): Weights {
  return weightsOf("japanese unix", () => withKana(weigh(FREQUENT_KANJI, "euc-jp", [[0xb0, 0xcf, 0xa1, 0xfe]])));
}

function korean(): Weights {
  return weightsOf("korean", () => weigh(FREQUENT_HANGUL, "euc-kr", [[0xb0, 0xc8, 0xa1, 0xfe]]));
}

/** @param zones lead and trail byte ranges of the encoding's everyday characters. */
function weigh(
  frequent: string,
  name: EncodingName,
  zones: readonly (readonly [firstLead: number, lastLead: number, firstTrail: number, lastTrail: number])[],
): Map<number, number> {
  const weights = new Map<number, number>();
  for (const [firstLead, lastLead, firstTrail, lastTrail] of zones) {
    const bytes: number[] = [];
    for (let lead = firstLead; lead <= lastLead; lead++) {
      for (let trail = firstTrail; trail <= lastTrail; trail++) bytes.push(lead, trail);
    }
    addAll(weights, decodePiece(Uint8Array.from(bytes), name), COMMON);
  }
  // CJK punctuation, full-width forms, typographic quotes and dashes.
  for (let codePoint = 0x3000; codePoint <= 0x3011; codePoint++) weights.set(codePoint, PUNCTUATION);
  for (let codePoint = 0xff01; codePoint <= 0xff5e; codePoint++) weights.set(codePoint, PUNCTUATION);
  addAll(weights, "“”‘’…—·～「」『』、。", PUNCTUATION);
  addAll(weights, frequent, FREQUENT);
  return weights;
}

/** Texts in Japanese are full of kana, and those in Chinese have none. */
function withKana(weights: Map<number, number>): Weights {
  for (let codePoint = 0x3041; codePoint <= 0x30fe; codePoint++) weights.set(codePoint, FREQUENT);
  return weights;
}

function addAll(weights: Map<number, number>, text: string, weight: number): void {
  for (const char of text) {
    const codePoint = char.codePointAt(0);
    if (codePoint !== undefined && codePoint !== 0xfffd) weights.set(codePoint, weight);
  }
}
