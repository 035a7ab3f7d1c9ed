import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { type Counter, loadCounter } from "../../src/tokens/counter.ts";
import {
  FRENCH,
  GERMAN,
  JAPANESE,
  KOREAN,
  SIMPLIFIED_CHINESE,
  SPANISH,
  TRADITIONAL_CHINESE,
} from "../fixtures/sample-texts.ts";

const plainly = (text: string): number => reference(text, { disallowedSpecial: new Set() });

let counter: Counter;
beforeAll(async () => {
  counter = await loadCounter();
});

describe("loadCounter", () => {
  test.each([
    ["", 0],
    ["hello world", 2],
    ["The quick brown fox jumps over the lazy dog.", 10],
    ["<|endoftext|>", 7],
  ])("counts %j as %d", (text, count) => {
    expect(counter.count(text)).toBe(count);
  });

  test("agrees with the library on prose in many languages", () => {
    for (const text of [FRENCH, GERMAN, JAPANESE, KOREAN, SIMPLIFIED_CHINESE, SPANISH, TRADITIONAL_CHINESE]) {
      expect(counter.count(text)).toBe(plainly(text));
    }
  });

  test("agrees with the library on every source file beside this one", () => {
    const folder = `${import.meta.dirname}/../../src`;
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      expect([name, counter.count(text)]).toEqual([name, plainly(text)]);
    }
  });

  test("agrees with the library on any mixture of texts", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "word",
        " the",
        "I'll",
        "camelCase",
        "\n",
        "\r\n\r\n",
        "   ",
        "\t",
        "12345",
        "…",
        "🎈",
        "👩‍👩‍👧",
        "汉字",
        "한국어",
        "é",
        "e\u0301",
      ),
      fc.constantFrom("<|endoftext|>", "<|im_start|>", "====", "//", "==>", "'s", "ABCdef", "0x1F", "\u00a0", "\ud83d"),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        expect(counter.count(text)).toBe(plainly(text));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["one letter", "a"],
    ["capitals", "AbC"],
    ["digits", "0123456789"],
    ["blanks", " "],
    ["line feeds", "\n"],
    ["equals signs", "="],
    ["Chinese without punctuation", "这是一个没有标点的句子"],
    ["emoji", "🎈🚀"],
    ["base64", "QmFzZTY0IGlzIGRlbnNl"],
  ])("agrees with the library on a run of %s", (_, unit) => {
    for (const units of [1, 7, 50, 300, 512]) {
      const text = unit.repeat(units).slice(0, units);
      if (text.isWellFormed()) expect(counter.count(text)).toBe(plainly(text));
    }
    const long = unit.repeat(5000 / unit.length);
    expect(counter.count(long)).toBeGreaterThanOrEqual(plainly(long));
    expect(counter.count(long)).toBeLessThanOrEqual(1.0025 * plainly(long) + 2);
  });

  // The library takes minutes to hours for these; the test's own time limit is the guard.
  test.each([
    ["one letter", "a"],
    ["random letters", "qzxjkvbpwygfmucl"],
    ["blanks", " "],
    ["line feeds", "\n"],
    ["equals signs", "="],
    ["Chinese without punctuation", "这是一个没有标点的句子而且很长很长"],
    ["emoji", "🎈🚀👩‍👩‍👧"],
    ["letters with marks", "e\u0301"],
    ["capitals before small ones", "ABCDEFGHa"],
    ["blanks before words", "          x"],
  ])("counts a megabyte of %s in a time of the same order as ordinary text", (_, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / Buffer.byteLength(unit)));
    expect(counter.count(text)).toBeGreaterThan(1000);
  });

  test("counts at most a token in 8 000 characters too many where a long text is cut into windows", () => {
    for (const text of [JAPANESE.repeat(300), GERMAN.repeat(200), "no line feed at all, only words ".repeat(4000)]) {
      const exact = plainly(text);
      expect(counter.count(text)).toBeGreaterThanOrEqual(exact);
      expect(counter.count(text)).toBeLessThanOrEqual(exact + text.length / 8000);
    }
  });

  test("asks between its windows whether to go on", () => {
    let pauses = 0;
    counter.count("word ".repeat(40_000), () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(4);
    const stop = (): void => {
      throw new Error("enough");
    };
    expect(() => counter.count("word", stop)).toThrow("enough");
  });
});
