import { describe, expect, test } from "vitest";
import { guessLegacy } from "../../src/encoding/guess.ts";
import { type EncodingName, encodeText } from "../../src/encoding.ts";
import {
  FRENCH,
  GBK_PROGRAM,
  GERMAN,
  JAPANESE,
  KOREAN,
  LATIN1_PROGRAM,
  SHIFT_JIS_PROGRAM,
  SIMPLIFIED_CHINESE,
  SPANISH,
  TRADITIONAL_CHINESE,
} from "../fixtures/sample-texts.ts";

const samples: readonly (readonly [string, EncodingName, string])[] = [
  ["simplified Chinese", "gb18030", SIMPLIFIED_CHINESE],
  ["traditional Chinese", "big5", TRADITIONAL_CHINESE],
  ["Japanese", "shift_jis", JAPANESE],
  ["Japanese", "euc-jp", JAPANESE],
  ["Korean", "euc-kr", KOREAN],
  ["French", "windows-1252", FRENCH],
  ["German", "windows-1252", GERMAN],
  ["Spanish", "windows-1252", SPANISH],
  ["a C program with French comments", "windows-1252", LATIN1_PROGRAM],
  ["a C program with Chinese comments", "gb18030", GBK_PROGRAM],
  ["a C program with Japanese comments", "shift_jis", SHIFT_JIS_PROGRAM],
];

describe("guessLegacy", () => {
  test.each(samples)("recognises %s in %s", (_, name, text) => {
    expect(guessLegacy(encodeText(text, name))).toBe(name);
  });

  test.each(samples)("recognises every single line of %s in %s", (_, name, text) => {
    const lines = text.split("\n").filter((line) => /[^\0-\x7f]/.test(line));
    expect(lines.map((line) => guessLegacy(encodeText(line, name)))).toEqual(lines.map(() => name));
  });

  test.each(samples)("recognises %s in %s that the end of the sample cuts off", (_, name, text) => {
    const bytes = encodeText(text, name);
    for (let cut = 1; cut <= 4; cut++) expect(guessLegacy(bytes.subarray(0, bytes.length - cut))).toBe(name);
  });

  test.each([
    ["d\xe9j\xe0 vu", "windows-1252"],
    ["caf\xe9", "windows-1252"],
    ["na\xefve \x93quoted\x94 text", "windows-1252"],
    ["price: 5 \x80", "windows-1252"],
    ["\xa9 2024 the authors", "windows-1252"],
    ["20\xb0C", "windows-1252"],
    ["\xb2\xe2\xca\xd4", "gb18030"],
    ["\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4", "gb18030"],
    ["\xa4\xa4\xa4\xe5\xb4\xfa\xb8\xd5", "big5"],
    ["\x93\xfa\x96{\x8c\xea", "shift_jis"],
    ["\xc7\xd1\xb1\xb9\xbe\xee", "euc-kr"],
  ])("recognises the few bytes %j as %s", (text, name) => {
    expect(guessLegacy(Buffer.from(text, "latin1"))).toBe(name);
  });

  test("takes UTF-8 with a few faults for UTF-8", () => {
    const text = Buffer.from(SIMPLIFIED_CHINESE);
    text[300] = 0xff;
    expect(guessLegacy(text)).toBe("utf-8");
    expect(guessLegacy(Buffer.concat([Buffer.from("Größe, Maße, Übersicht "), Buffer.of(0xe9)]))).toBe("utf-8");
  });

  test("takes bytes that are no text of any encoding for UTF-8 with faults", () => {
    const noise = Uint8Array.from(
      { length: 4000 },
      (_, index) => 0x80 + ((index * 7919 + (index >> 3) * 104_729) % 128),
    );
    expect(guessLegacy(noise)).toBe("utf-8");
  });
});
