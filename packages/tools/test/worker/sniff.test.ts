import { describe, expect, test } from "vitest";
import { encodeFile, encodeText } from "../../src/encoding.ts";
import { likelyWide, SNIFF_BYTES, sniffBinary } from "../../src/worker/sniff.ts";
import { GBK_PROGRAM, JAPANESE, KOREAN, SIMPLIFIED_CHINESE, TRADITIONAL_CHINESE } from "../fixtures/sample-texts.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("sniffBinary", () => {
  test.each([
    ["photo.png", "PNG image"],
    ["a/b/PHOTO.JPG", "JPEG image"],
    ["lib.so", "shared library"],
    ["paper.pdf", "PDF document"],
    ["data.sqlite", "SQLite database"],
    ["app.jar", "Java archive"],
  ])("knows %s by its extension, whatever is in it", (path, kind) => {
    expect(sniffBinary(path, latin1(""))).toBe(kind);
    expect(sniffBinary(path, latin1("plain text"))).toBe(kind);
  });

  test.each([
    ["nothing", latin1("")],
    ["ASCII", latin1("plain\r\n\ttext\f\v\b")],
    ["terminal colours", latin1("\x1b[31mred\x1b[0m\n")],
    ["UTF-8", Buffer.from("日本語 🎈 é")],
    ["UTF-8 with a mark", encodeFile("é", { name: "utf-8", bom: true })],
    ["UTF-16LE with a mark", encodeFile("Hello 世界\r\n", { name: "utf-16le", bom: true })],
    ["UTF-16BE with a mark", encodeFile("Hello 世界\r\n", { name: "utf-16be", bom: true })],
    ["GB18030", encodeText(SIMPLIFIED_CHINESE, "gb18030")],
    ["Big5", encodeText(TRADITIONAL_CHINESE, "big5")],
    ["Shift_JIS", encodeText(JAPANESE, "shift_jis")],
    ["EUC-KR", encodeText(KOREAN, "euc-kr")],
    ["a program with GBK comments", encodeText(GBK_PROGRAM, "gb18030")],
    ["Latin-1", latin1("d\xe9j\xe0 vu")],
    ["a NUL behind the first 4 KB", latin1(`${"x".repeat(SNIFF_BYTES)}\0`)],
    ["30 % of control characters", latin1(`${"a".repeat(70)}${"\x01".repeat(30)}`)],
  ])("takes %s for text", (_, bytes) => {
    expect(sniffBinary("file", bytes)).toBeUndefined();
  });

  test.each([
    ["one NUL", latin1("abc\0def"), "binary data"],
    ["a NUL behind a UTF-8 mark", latin1("\xef\xbb\xbfabc\0"), "binary data"],
    ["31 % of control characters", latin1(`${"a".repeat(69)}${"\x01".repeat(31)}`), "binary data"],
    ["a PNG under another name", latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG image"],
    ["an ELF program", latin1("\x7fELF\x02\x01\x01\0\0\0"), "ELF program"],
    ["a gzip stream", latin1("\x1f\x8b\x08\0\0\0\0\0"), "gzip archive"],
    ["a PDF that begins as text", latin1("%PDF-1.4\n1 0 obj\n"), "PDF document"],
    ["UTF-16 without a mark", Buffer.from("Hello", "utf16le"), "binary data"],
    ["UTF-16 characters that are controls", Buffer.concat([latin1("\xff\xfe"), new Uint8Array(400)]), "binary data"],
  ])("takes %s for binary", (_, bytes, kind) => {
    expect(sniffBinary("file", bytes)).toBe(kind);
  });

  test("takes unmarked UTF-16 for text when the caller says that it is", () => {
    expect(sniffBinary("file", Buffer.from("Hello", "utf16le"), "utf-16le")).toBeUndefined();
  });

  test("takes a legacy text for text wherever the first 4 KB end", () => {
    const bytes = encodeText(SIMPLIFIED_CHINESE.repeat(20), "gb18030");
    for (let length = SNIFF_BYTES - 3; length <= SNIFF_BYTES; length++) {
      expect(sniffBinary("file", bytes.subarray(0, length))).toBeUndefined();
    }
  });

  test("leaves ambiguous extensions to the content", () => {
    for (const name of ["main.ts", "values.dat", "firmware.bin", "model.obj"]) {
      expect(sniffBinary(name, latin1("plain text"))).toBeUndefined();
    }
  });
});

describe("likelyWide", () => {
  test.each(["Hello world\r\n", "Привет, мир\n", "日本語 テスト\n", `${"line of text\r\n".repeat(400)}`])(
    "tells the byte order of %j without a mark",
    (text) => {
      expect(likelyWide(encodeText(text, "utf-16le"))).toBe("utf-16le");
      expect(likelyWide(encodeText(text, "utf-16be"))).toBe("utf-16be");
    },
  );

  test.each([
    ["nothing", latin1("")],
    ["an ELF program", latin1("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0")],
    ["one NUL in ASCII", latin1("abc\0def\n")],
    ["UTF-32", latin1("h\0\0\0i\0\0\0\n\0\0\0")],
    ["small numbers", new Uint8Array(new Uint16Array([1, 2, 3, 10, 32, 500]).buffer)],
  ])("does not take %s for UTF-16", (_, bytes) => expect(likelyWide(bytes)).toBeUndefined());
});
