/** Encodings that files are read and written in; names are the WHATWG ones, as `TextDecoder` takes them. */
export const ENCODING_NAMES = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-7",
  "iso-8859-15",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "macintosh",
] as const;

export type EncodingName = (typeof ENCODING_NAMES)[number];

/** Other spellings in use, lower case. */
export const ENCODING_SYNONYMS: Readonly<Record<string, EncodingName>> = {
  utf8: "utf-8",
  ascii: "utf-8",
  utf16: "utf-16le",
  "utf-16": "utf-16le",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  gbk: "gb18030",
  gb2312: "gb18030",
  cp936: "gb18030",
  cp950: "big5",
  "big5-hkscs": "big5",
  sjis: "shift_jis",
  "shift-jis": "shift_jis",
  shiftjis: "shift_jis",
  cp932: "shift_jis",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  cp949: "euc-kr",
  latin1: "windows-1252",
  "latin-1": "windows-1252",
  "iso-8859-1": "windows-1252",
  cp1252: "windows-1252",
  cp1251: "windows-1251",
  latin2: "iso-8859-2",
  latin9: "iso-8859-15",
  cp866: "ibm866",
};

/** How a file's bytes become text. */
export interface FileEncoding {
  readonly name: EncodingName;
  /** Whether the file begins with this encoding's byte order mark; the mark is not part of the text. */
  readonly bom: boolean;
}

export const UTF8: FileEncoding = { name: "utf-8", bom: false };

const BYTE_ORDER_MARKS: readonly (readonly [EncodingName, Uint8Array])[] = [
  ["utf-8", Uint8Array.of(0xef, 0xbb, 0xbf)],
  ["utf-16le", Uint8Array.of(0xff, 0xfe)],
  ["utf-16be", Uint8Array.of(0xfe, 0xff)],
];

/** The encoding that a byte order mark at the start of `head` proves. */
export function encodingOfBom(head: Uint8Array): FileEncoding | undefined {
  // Searches ask for every file: nearly all begin with another byte.
  if ((head[0] ?? 0) < 0xef) return undefined;
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    if (head.length >= mark.length && mark.every((byte, index) => head[index] === byte)) return { name, bom: true };
  }
  return undefined;
}

/** The byte order mark of a file in this encoding; empty where it has none. */
export function bomBytes(encoding: FileEncoding): Uint8Array {
  if (!encoding.bom) return new Uint8Array(0);
  return BYTE_ORDER_MARKS.find(([name]) => name === encoding.name)?.[1] ?? new Uint8Array(0);
}

export function isUtf16(name: EncodingName): boolean {
  return name === "utf-16le" || name === "utf-16be";
}
