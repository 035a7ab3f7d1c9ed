import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEncodingDetector, detectEncoding } from "../../src/encoding/detect.ts";
import { type EncodingName, encodeFile, encodeText } from "../../src/encoding.ts";
import { SIMPLIFIED_CHINESE } from "../fixtures/sample-texts.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("detectEncoding", () => {
  test.each<[string, Uint8Array, EncodingName | undefined, { name: EncodingName; bom: boolean }]>([
    ["nothing is UTF-8", latin1(""), undefined, { name: "utf-8", bom: false }],
    ["ASCII is UTF-8", latin1("plain"), undefined, { name: "utf-8", bom: false }],
    ["a mark decides", latin1("\xff\xfea\0"), undefined, { name: "utf-16le", bom: true }],
    ["a mark wins over the argument", latin1("\xfe\xff\0a"), "gb18030", { name: "utf-16be", bom: true }],
    ["a UTF-8 mark wins over bytes that are none", latin1("\xef\xbb\xbf\xe9"), undefined, { name: "utf-8", bom: true }],
    ["valid UTF-8 wins over the argument", Buffer.from("é"), "windows-1252", { name: "utf-8", bom: false }],
    ["the argument wins over the guess", latin1("caf\xe9"), "windows-1251", { name: "windows-1251", bom: false }],
    ["the guess comes last", latin1("caf\xe9"), undefined, { name: "windows-1252", bom: false }],
    ["UTF-16 without a mark by argument", latin1("a\0b\0"), "utf-16le", { name: "utf-16le", bom: false }],
    ["UTF-16 asked of plain text", latin1("ab"), "utf-16le", { name: "utf-8", bom: false }],
  ])("%s", (_, bytes, asked, encoding) => {
    expect(detectEncoding(bytes, asked)).toEqual(encoding);
  });
});

describe("createEncodingDetector", () => {
  test.each([
    ["UTF-8", Buffer.from("ab汉字🎈é\n".repeat(30)), true],
    [
      "UTF-8 with a fault",
      Buffer.concat([Buffer.from("汉字🎈".repeat(30)), Buffer.of(0xe6, 0xb1), Buffer.from("x")]),
      false,
    ],
    ["UTF-8 whose end is cut off", Buffer.from("汉字".repeat(30)).subarray(0, -1), false],
    ["GB18030", encodeText(SIMPLIFIED_CHINESE, "gb18030"), false],
  ])("comes to the same verdict on %s however it is cut", (_, bytes, valid) => {
    const whole = createEncodingDetector();
    whole.update(bytes);
    const verdict = whole.finish();
    expect(verdict.validUtf8).toBe(valid);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const detector = createEncodingDetector();
        let at = 0;
        for (const cut of [...cuts.toSorted((left, right) => left - right), bytes.length]) {
          detector.update(bytes.subarray(at, cut));
          at = cut;
        }
        expect(detector.finish()).toEqual(verdict);
      }),
      { numRuns: 100 },
    );
  });

  test("agrees with the decoder on what is valid UTF-8", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const detector = createEncodingDetector();
        for (const bytes of pieces) detector.update(bytes);
        const bytes = Buffer.concat(pieces);
        const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
        const isValid = !bytes.toString("utf8").includes("\ufffd") || Buffer.from(bytes.toString("utf8")).equals(bytes);
        expect(detector.finish().validUtf8).toBe(isValid && !isMarked);
      }),
      { numRuns: 300 },
    );
  });

  test("finds the evidence behind megabytes of ASCII", () => {
    const detector = createEncodingDetector();
    const plain = latin1("all plain text\n".repeat(20_000));
    for (let round = 0; round < 10; round++) detector.update(plain);
    detector.update(encodeText(SIMPLIFIED_CHINESE, "gb18030"));
    expect(detector.finish().encoding).toEqual({ name: "gb18030", bom: false });
  });

  test("says that marked UTF-8 is valid and marked UTF-16 is not", () => {
    const verdict = (bytes: Uint8Array): boolean => {
      const detector = createEncodingDetector();
      detector.update(bytes);
      return detector.finish().validUtf8;
    };
    expect(verdict(encodeFile("é", { name: "utf-8", bom: true }))).toBe(true);
    expect(verdict(encodeFile("é", { name: "utf-16le", bom: true }))).toBe(false);
  });
});
