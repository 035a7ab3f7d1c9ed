import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineIndexer, indexLines, type LineIndex, memorySource } from "../../src/edit/line-index.ts";
import { type FileEncoding, UTF8 } from "../../src/encoding/names.ts";

/** Each line's text and ending, as latin1. */
function linesOf(index: LineIndex): (readonly [string, string])[] {
  return Array.from({ length: index.totalLines }, (_, at) => {
    const { start, textEnd, end } = index.line(at + 1);
    const part = (from: number, to: number): string => Buffer.from(index.source.read(from, to)).toString("latin1");
    return [part(start, textEnd), part(textEnd, end)] as const;
  });
}

function split(text: string): (readonly [string, string])[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n|$)/gs)]
    .filter(([whole]) => whole !== "")
    .map(([, line = "", ending = ""]) => [line, ending] as const);
}

function indexText(text: string): LineIndex {
  return indexLines(memorySource(Buffer.from(text, "latin1")), UTF8);
}

describe("indexLines", () => {
  test.each([
    ["", []],
    ["\n", [["", "\n"]]],
    ["a", [["a", ""]]],
    ["a\n", [["a", "\n"]]],
    [
      "a\r\nb",
      [
        ["a", "\r\n"],
        ["b", ""],
      ],
    ],
    ["a\r", [["a\r", ""]]],
    [
      "a\rb\f\v\x85\n\r\n",
      [
        ["a\rb\f\v\x85", "\n"],
        ["", "\r\n"],
      ],
    ],
    ["\r\r\n", [["\r", "\r\n"]]],
  ])("ends lines of %j at LF and CRLF only", (text, expected) => {
    expect(linesOf(indexText(text))).toEqual(expected);
  });

  test("finds the lines of any bytes, asked for in any order", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "\r", "\xff"), { maxLength: 60 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.nat()), (content, order) => {
        const index = indexText(content);
        const expected = split(content);
        expect(linesOf(index)).toEqual(expected);
        for (let turn = 0; turn < 5 && expected.length > 0; turn++) {
          const at = (order.next().value ?? 0) % expected.length;
          const { start, end } = index.line(at + 1);
          expect(Buffer.from(index.source.read(start, end)).toString("latin1")).toBe(expected[at]?.join(""));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("finds lines beyond its checkpoints, in any order, very long ones between them", () => {
    const long = "x".repeat(200_000);
    const index = indexText(Array.from({ length: 3000 }, (_, at) => `${at === 1499 ? long : at + 1}\n`).join(""));
    expect(index.line(1500)).toEqual({ start: 6388, textEnd: 206_388, end: 206_389 });
    for (const line of [3000, 1, 513, 1501, 512, 1499, 1024, 1025, 2999, 2998, 2]) {
      const { start, textEnd } = index.line(line);
      expect(Buffer.from(index.source.read(start, textEnd)).toString()).toBe(String(line));
    }
    expect(() => index.line(3001)).toThrow(RangeError);
    expect(() => index.line(0)).toThrow(RangeError);
  });

  test.each<[FileEncoding["name"], (text: string) => Buffer]>([
    ["utf-16le", (text) => Buffer.from(text, "utf16le")],
    ["utf-16be", (text) => Buffer.from(text, "utf16le").swap16()],
  ])("counts code units in %s: U+0A0A and U+0D0A are letters", (name, encode) => {
    const bytes = encode("\ufeffa\u0a0a\r\n\u0d0a\nb");
    const index = indexLines(memorySource(bytes), { name, bom: true });
    expect(index.totalLines).toBe(3);
    expect(index.textStart).toBe(2);
    expect([1, 2, 3].map((line) => index.line(line))).toEqual([
      { start: 2, textEnd: 6, end: 10 },
      { start: 10, textEnd: 12, end: 14 },
      { start: 14, textEnd: 16, end: 16 },
    ]);
  });
});

describe("createLineIndexer", () => {
  test("comes to the same whatever the pieces are", () => {
    const bytes = Buffer.from("one\r\ntwo\n\nthree");
    for (let size = 1; size <= bytes.length; size++) {
      const indexer = createLineIndexer(UTF8);
      for (let at = 0; at < bytes.length; at += size) indexer.update(bytes.subarray(at, at + size));
      const index = indexer.finish(memorySource(bytes));
      expect(linesOf(index)).toEqual([
        ["one", "\r\n"],
        ["two", "\n"],
        ["", "\n"],
        ["three", ""],
      ]);
    }
  });
});
