import { ToolError } from "../error.ts";
import { decodePiece } from "./decode.ts";
import { bomBytes, type EncodingName, type FileEncoding } from "./names.ts";

/**
 * The bytes of a whole file: byte order mark (where the encoding says so) and text.
 * @throws ToolError ENCODING_UNMAPPABLE (`details.character`, `details.line`) for the first character the encoding lacks.
 */
export function encodeFile(text: string, encoding: FileEncoding): Uint8Array {
  return Buffer.concat([bomBytes(encoding), encodeText(text, encoding.name)]);
}

/** The bytes of a piece of text, without a byte order mark. @throws ToolError ENCODING_UNMAPPABLE. */
export function encodeText(text: string, name: EncodingName): Uint8Array {
  const lone = loneSurrogateAt(text);
  if (lone !== undefined) throw unmappable(text, lone, name);
  if (name === "utf-8") return Buffer.from(text, "utf8");
  if (name === "utf-16le") return Buffer.from(text, "utf16le");
  if (name === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  return encodeLegacy(text, name);
}

function encodeLegacy(text: string, name: EncodingName): Uint8Array {
  const table = reverseTable(name);
  // No legacy encoding takes more than two bytes for a UTF-16 code unit, GB18030's four-byte forms of the BMP excepted.
  const out = Buffer.allocUnsafe(text.length * 4);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint < 0x80 && !table.asciiDiffers) {
      out[length++] = codePoint;
      continue;
    }
    const bytes = table.bytes.get(codePoint) ?? supplementary(codePoint, name);
    if (bytes === undefined) throw unmappable(text, index, name);
    for (let shift = bytes > 0xffffff ? 24 : bytes > 0xffff ? 16 : bytes > 0xff ? 8 : 0; shift >= 0; shift -= 8) {
      out[length++] = (bytes >>> shift) & 0xff;
    }
    if (codePoint > 0xffff) index += 1;
  }
  return out.subarray(0, length);
}

interface ReverseTable {
  /** Code point to its bytes, big-endian in one number. */
  readonly bytes: ReadonlyMap<number, number>;
  readonly asciiDiffers: boolean;
}

const tables = new Map<EncodingName, ReverseTable>();

/** Made from the decoder itself, so that what is written is by construction what is read back. */
function reverseTable(name: EncodingName): ReverseTable {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const bytes = new Map<number, number>([[SEPARATOR, SEPARATOR]]);
  if (name === "gb18030") bytes.set(REPLACEMENT, GB18030_REPLACEMENT);
  for (const sequences of sequenceGroups(name)) addSequences(bytes, sequences, name);
  const asciiDiffers = Array.from({ length: 0x80 }, (_, byte) => byte).some((byte) => bytes.get(byte) !== byte);
  const table: ReverseTable = { bytes, asciiDiffers };
  tables.set(name, table);
  return table;
}

/** Byte sequences in order of preference: the first one that decodes to a character is the one written for it. */
function sequenceGroups(name: EncodingName): readonly (readonly number[])[] {
  const single = range(0x00, 0xff).filter((byte) => byte !== SEPARATOR);
  // 80 is read as the euro sign, but only GBK writes it so.
  if (name === "gb18030") return [single.filter((byte) => byte < 0x80), pairs(0x81, 0xfe), quadruples()];
  // Big5's older rows come before the Hong Kong extension.
  if (name === "big5") return [single, pairs(0xa1, 0xf9), pairs(0x81, 0xfe)];
  if (name === "euc-jp")
    return [single, pairs(0xa1, 0xfe), pairs(0x8e, 0x8e), pairs(0xa1, 0xfe).map((pair) => 0x8f0000 + pair)];
  if (name === "shift_jis" || name === "euc-kr") return [single, pairs(0x81, 0xfe)];
  return [single];
}

function addSequences(bytes: Map<number, number>, sequences: readonly number[], name: EncodingName): void {
  const separated = Buffer.alloc(sequences.length * 5);
  let length = 0;
  for (const sequence of sequences) {
    for (
      let shift = sequence > 0xffffff ? 24 : sequence > 0xffff ? 16 : sequence > 0xff ? 8 : 0;
      shift >= 0;
      shift -= 8
    ) {
      separated[length++] = (sequence >>> shift) & 0xff;
    }
    separated[length++] = SEPARATOR;
  }
  const decoded = decodePiece(separated.subarray(0, length), name).split("\n");
  for (const [index, text] of decoded.entries()) {
    const sequence = sequences[index];
    const codePoint = text.codePointAt(0);
    if (sequence === undefined || codePoint === undefined || codePoint === REPLACEMENT) continue;
    const isOne = text.length === (codePoint > 0xffff ? 2 : 1);
    if (isOne && !bytes.has(codePoint)) bytes.set(codePoint, sequence);
  }
}

/** A line feed is never a part of a longer sequence, so it ends even an incomplete one. */
const SEPARATOR = 0x0a;
const REPLACEMENT = 0xfffd;
/** Decoding cannot tell it from a fault, so it is not found among the others. */
const GB18030_REPLACEMENT = 0x8431a437;

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function pairs(firstLead: number, lastLead: number): number[] {
  return range(firstLead, lastLead).flatMap((lead) => range(0x40, 0xfe).map((trail) => lead * 0x100 + trail));
}

/** GB18030's four-byte forms of the basic plane. */
function quadruples(): number[] {
  const digits = range(0x30, 0x39);
  const leads = range(0x81, 0x84).flatMap((first) => digits.map((second) => first * 0x100 + second));
  const trails = range(0x81, 0xfe).flatMap((third) => digits.map((fourth) => third * 0x100 + fourth));
  return leads.flatMap((lead) => trails.map((trail) => lead * 0x10000 + trail));
}

/** GB18030 maps the planes above the basic one in order, from 90 30 81 30 on. */
function supplementary(codePoint: number, name: EncodingName): number | undefined {
  if (name !== "gb18030" || codePoint < 0x10000) return undefined;
  const pointer = codePoint - 0x10000;
  const fourth = 0x30 + (pointer % 10);
  const third = 0x81 + (Math.floor(pointer / 10) % 126);
  const second = 0x30 + (Math.floor(pointer / 1260) % 10);
  const first = 0x90 + Math.floor(pointer / 12_600);
  return ((first * 0x100 + second) * 0x100 + third) * 0x100 + fourth;
}

function loneSurrogateAt(text: string): number | undefined {
  return /\p{Surrogate}/u.exec(text)?.index;
}

function unmappable(text: string, index: number, name: EncodingName): ToolError {
  const codePoint = text.codePointAt(index) ?? 0;
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const character = isSurrogate ? "\ufffd" : String.fromCodePoint(codePoint);
  const hex = codePoint.toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, index).split("\n").length;
  const what = isSurrogate
    ? `Half a surrogate pair (U+${hex}) in line ${line} of the new text is no character`
    : `The file is ${name}, which has no "${character}" (U+${hex}, line ${line} of the new text)`;
  return new ToolError("ENCODING_UNMAPPABLE", what, {
    next: isSurrogate
      ? "send the whole character"
      : "write it with other characters, or convert the file to UTF-8 first",
    details: { character, codePoint, encoding: name, line },
  });
}
