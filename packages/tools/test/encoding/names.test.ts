import { TextDecoder } from "node:util";
import { describe, expect, test } from "vitest";
import { bomBytes, ENCODING_NAMES, ENCODING_SYNONYMS, encodingOfBom, isUtf16 } from "../../src/encoding/names.ts";

describe("ENCODING_NAMES", () => {
  test.each(ENCODING_NAMES)("%s is an encoding that this Node can decode", (name) => {
    expect(() => new TextDecoder(name)).not.toThrow();
  });
});

describe("ENCODING_SYNONYMS", () => {
  test("lead to known names and hide none of them", () => {
    for (const [synonym, name] of Object.entries(ENCODING_SYNONYMS)) {
      expect(ENCODING_NAMES).toContain(name);
      expect(ENCODING_NAMES as readonly string[]).not.toContain(synonym);
    }
  });
});

describe("encodingOfBom", () => {
  test.each([
    [[0xef, 0xbb, 0xbf, 0x61], { name: "utf-8", bom: true }],
    [[0xff, 0xfe, 0x61, 0x00], { name: "utf-16le", bom: true }],
    [[0xfe, 0xff, 0x00, 0x61], { name: "utf-16be", bom: true }],
    [[0xef, 0xbb], undefined],
    [[0x61], undefined],
    [[], undefined],
  ])("reads the mark of %j", (bytes, encoding) => {
    expect(encodingOfBom(Uint8Array.from(bytes))).toEqual(encoding);
  });
});

describe("bomBytes", () => {
  test("are the mark, and none without one", () => {
    expect([...bomBytes({ name: "utf-16be", bom: true })]).toEqual([0xfe, 0xff]);
    expect([...bomBytes({ name: "utf-16be", bom: false })]).toEqual([]);
    expect([...bomBytes({ name: "gb18030", bom: true })]).toEqual([]);
  });
});

describe("isUtf16", () => {
  test("holds of both byte orders and nothing else", () => {
    expect(ENCODING_NAMES.filter(isUtf16)).toEqual(["utf-16le", "utf-16be"]);
  });
});
