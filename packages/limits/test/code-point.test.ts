import { describe, expect, test } from "vitest";
import { bytesOfUnit, isPairAt, isSurrogate, ownText, wellFormed } from "../src/code-point.ts";

describe("wellFormed", () => {
  test("replaces half a pair and leaves whole ones", () => {
    expect(wellFormed("a\ud83d🎈\udf88")).toBe("a\ufffd🎈\ufffd");
  });
});

describe("ownText", () => {
  test.each(["", "a", "汉🎈", "\ufeffmark", "\0\r\n"])("copies %j as it is", (text) => {
    expect(ownText(text)).toBe(text);
  });

  test("replaces half a pair", () => {
    expect(ownText("a\ud83d")).toBe("a\ufffd");
  });
});

describe("bytesOfUnit", () => {
  test.each([
    ["\u007f", 1],
    ["\u0080", 2],
    ["\u07ff", 2],
    ["\u0800", 3],
    ["\ud83d", 3],
    ["\uffff", 3],
  ])("of %j is %i", (text, bytes) => {
    expect(bytesOfUnit(text.charCodeAt(0))).toBe(bytes);
  });
});

describe("isPairAt", () => {
  test("is true only where a high surrogate stands before a low one", () => {
    const text = "a🎈\udf88\ud83d";
    expect([0, 1, 2, 3, 4, 5].map((index) => isPairAt(text, index))).toEqual([false, true, false, false, false, false]);
  });
});

describe("isSurrogate", () => {
  test.each([
    [0xd7ff, false],
    [0xd800, true],
    [0xdfff, true],
    [0xe000, false],
  ])("of %i is %s", (unit, expected) => {
    expect(isSurrogate(unit)).toBe(expected);
  });
});
