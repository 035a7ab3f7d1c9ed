import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBytes, ENCODING_NAMES, type EncodingName, encodeFile, encodeText } from "../../src/encoding.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("encodeText", () => {
  test.each<[EncodingName, string, string]>([
    ["utf-8", "é汉", "c3a9e6b189"],
    ["utf-16le", "a汉", "6100496c"],
    ["utf-16be", "a🎈", "0061d83cdf88"],
    ["gb18030", "中文", "d6d0cec4"],
    ["gb18030", "€é💩", "a2e3a8a69439da33"],
    ["big5", "中文", "a4a4a4e5"],
    ["shift_jis", "日本ｱ", "93fa967bb1"],
    ["euc-jp", "日本", "c6fccbdc"],
    ["euc-kr", "한국", "c7d1b1b9"],
    ["windows-1252", "€é’", "80e992"],
    ["windows-1251", "Привет", "cff0e8e2e5f2"],
    ["koi8-r", "Привет", "f0d2c9d7c5d4"],
    ["iso-8859-15", "€", "a4"],
  ])("writes %s: %s", (name, text, bytes) => {
    expect(hex(encodeText(text, name))).toBe(bytes);
  });

  test.each(ENCODING_NAMES)("writes ASCII and line endings in %s so that they are read back", (name) => {
    const text = "plain text 0123 {}[]\\~|\t\r\n\0";
    expect(decodeBytes(encodeText(text, name), { name, bom: false })).toBe(text);
  });

  test.each<[EncodingName, string, string, string]>([
    ["windows-1252", "ok\nx汉", "汉", "U+6C49, line 2"],
    ["big5", "🎈", "🎈", "U+1F388, line 1"],
    ["shift_jis", "한", "한", "U+D55C, line 1"],
    ["euc-kr", "a\n\nẞ", "ẞ", "U+1E9E, line 3"],
  ])("refuses in %s what it lacks: %j", (name, text, character, place) => {
    expect(() => encodeText(text, name)).toThrow(
      expect.objectContaining({
        code: "ENCODING_UNMAPPABLE",
        message: expect.stringContaining(place),
        details: expect.objectContaining({ character, encoding: name }),
      }),
    );
  });

  test.each(["utf-8", "utf-16le", "gb18030", "windows-1252"] as const)(
    "refuses half a surrogate pair in %s",
    (name) => {
      expect(() => encodeText("a\ud83d", name)).toThrow(expect.objectContaining({ code: "ENCODING_UNMAPPABLE" }));
    },
  );

  test("never writes U+FFFD in an encoding that does not have it", () => {
    expect(() => encodeText("\ufffd", "windows-1252")).toThrow(
      expect.objectContaining({ code: "ENCODING_UNMAPPABLE" }),
    );
    expect(() => encodeText("\ufffd", "shift_jis")).toThrow(expect.objectContaining({ code: "ENCODING_UNMAPPABLE" }));
  });

  test.each(ENCODING_NAMES)("what %s takes is read back as it was", (name) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        let bytes: Uint8Array;
        try {
          bytes = encodeText(text, name);
        } catch (error) {
          expect(error).toMatchObject({ code: "ENCODING_UNMAPPABLE" });
          return;
        }
        expect(decodeBytes(bytes, { name, bom: false })).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test.each(["gb18030", "utf-8", "utf-16le", "utf-16be"] as const)("%s takes every character", (name) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        expect(decodeBytes(encodeText(text, name), { name, bom: false })).toBe(text);
      }),
      { numRuns: 100 },
    );
  });
});

describe("encodeFile", () => {
  test("puts the byte order mark in front where the file has one", () => {
    expect(hex(encodeFile("a", { name: "utf-8", bom: true }))).toBe("efbbbf61");
    expect(hex(encodeFile("a", { name: "utf-16le", bom: true }))).toBe("fffe6100");
    expect(hex(encodeFile("a", { name: "utf-8", bom: false }))).toBe("61");
  });
});
