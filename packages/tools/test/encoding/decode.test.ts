import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStreamDecoder, decodeBytes, decodePiece } from "../../src/encoding/decode.ts";
import { type EncodingName, encodeFile } from "../../src/encoding.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("decodePiece", () => {
  test.each<[EncodingName, string, string]>([
    ["utf-8", "caf\xc3\xa9", "café"],
    ["utf-16le", "\x16N\x4cu", "世界"],
    ["utf-16be", "N\x16uL", "世界"],
    ["gb18030", "\xd6\xd0\xce\xc4", "中文"],
    ["gb18030", "\x94\x39\xda\x33", "💩"],
    ["big5", "\xa4\xa4\xa4\xe5", "中文"],
    ["shift_jis", "\x93\xfa\x96{", "日本"],
    ["euc-jp", "\xc6\xfc\xcb\xdc", "日本"],
    ["euc-kr", "\xc7\xd1\xb1\xb9", "한국"],
    ["windows-1252", "\x80\x93caf\xe9\x94", "€“café”"],
    ["windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"],
  ])("reads %s", (name, bytes, text) => {
    expect(decodePiece(latin1(bytes), name)).toBe(text);
  });

  test("shows what it cannot explain as U+FFFD", () => {
    expect(decodePiece(latin1("a\xffb"), "utf-8")).toBe("a\ufffdb");
    expect(decodePiece(latin1("a\xd8"), "gb18030")).toBe("a\ufffd");
  });

  test("keeps a byte order mark inside the text", () => {
    expect(decodePiece(latin1("\xef\xbb\xbfa"), "utf-8")).toBe("\ufeffa");
  });
});

describe("decodeBytes", () => {
  test("leaves the byte order mark of the file out, and only that one", () => {
    expect(decodeBytes(latin1("\xef\xbb\xbf\xef\xbb\xbfa"), { name: "utf-8", bom: true })).toBe("\ufeffa");
    expect(decodeBytes(latin1("\xff\xfea\0"), { name: "utf-16le", bom: true })).toBe("a");
  });
});

describe("createStreamDecoder", () => {
  test.each<[EncodingName, boolean]>([
    ["utf-8", true],
    ["utf-16le", true],
    ["utf-16be", true],
    ["gb18030", false],
    ["shift_jis", false],
    ["windows-1252", false],
  ])("gives the same text for %s however the bytes are cut", (name, bom) => {
    const text = name === "windows-1252" ? "début – café €" : "a日本b\r\n本c";
    const bytes = encodeFile(text, { name, bom });
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const decoder = createStreamDecoder({ name, bom });
        let at = 0;
        let decoded = "";
        for (const cut of [...cuts.toSorted((left, right) => left - right), bytes.length]) {
          decoded += decoder.write(bytes.subarray(at, cut));
          at = cut;
        }
        expect(decoded + decoder.end()).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test("shows a character that the end cuts off as U+FFFD", () => {
    const decoder = createStreamDecoder({ name: "utf-8", bom: false });
    expect(decoder.write(latin1("a\xe6\xb1"))).toBe("a");
    expect(decoder.end()).toBe("\ufffd");
  });
});
