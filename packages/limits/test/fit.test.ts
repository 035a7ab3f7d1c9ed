import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitLines } from "../src/fit.ts";
import { byteLength, countLines, estimateTokens } from "../src/measure.ts";
import { arbitraryText } from "./arbitrary-text.ts";

describe("fitLines", () => {
  test.each([
    ["head", { maxLines: 2 }, "a\nb\nc\n", "a\nb", "lines"],
    ["tail", { maxLines: 2 }, "a\nb\nc\n", "b\nc\n", "lines"],
    ["head", { maxBytes: 9 }, "aaaa\nbbbb\ncccc\n", "aaaa\nbbbb", "bytes"],
    ["tail", { maxBytes: 9 }, "aaaa\nbbbb\ncccc\n", "bbbb\ncccc", "bytes"],
    ["tail", { maxBytes: 10 }, "aaaa\nbbbb\ncccc\n", "bbbb\ncccc\n", "bytes"],
    ["head", { maxChars: 3 }, "汉字\n汉字", "汉字", "chars"],
    ["head", { maxTokens: 3 }, "汉字\n汉字", "汉字", "tokens"],
    ["head", { maxBytes: 2 }, "abc\nd", "", "bytes"],
    ["tail", { maxBytes: 2 }, "a\nbcd\n", "", "bytes"],
    ["head", { maxLines: 0 }, "a\n", "", "lines"],
    ["head", { maxLines: 2, maxBytes: 1 }, "a\nb\nc", "a", "bytes"],
    ["head", {}, "a\nb\n", "a\nb\n", null],
  ] as const)("keeps from the %s within %j of %j", (end, caps, text, kept, stoppedBy) => {
    const fit = fitLines(text, caps, end);
    expect([text.slice(fit.start, fit.end), fit.stoppedBy]).toEqual([kept, stoppedBy]);
  });

  test.each(["head", "tail"] as const)("does not count the LF that ends the text when all of it fits (%s)", (end) => {
    expect(fitLines("aaaa\nbbbb\n", { maxBytes: 9, maxLines: 2 }, end)).toMatchObject({ bytes: 10, stoppedBy: null });
    expect(fitLines("aaaa\nbbbb", { maxBytes: 8 }, end)).toMatchObject({ bytes: 4, lines: 1, stoppedBy: "bytes" });
  });

  test("keeps an empty last line with its LF or not at all", () => {
    const textOf = (text: string, maxBytes: number, end: "head" | "tail"): string => {
      const fit = fitLines(text, { maxBytes }, end);
      return text.slice(fit.start, fit.end);
    };
    expect(textOf("a\n\nbbbb", 3, "head")).toBe("a\n\n");
    expect(textOf("a\n\nbbbb", 2, "head")).toBe("a");
    expect(textOf("bbbb\na\n\n", 3, "tail")).toBe("a\n\n");
    expect(textOf("bbbb\na\n\n", 2, "tail")).toBe("\n");
  });

  test("names the lines when both the line and another cap are used up", () => {
    expect(fitLines("aaaa\nbbbb", { maxBytes: 4, maxLines: 1 }, "head").stoppedBy).toBe("lines");
    expect(fitLines("aaaa\nbbbb", { maxBytes: 4, maxLines: 1 }, "tail").stoppedBy).toBe("lines");
  });

  test("keeps the most whole lines of any text, and its sums are those of the part", () => {
    const caps = fc.record(
      { maxBytes: fc.nat(150), maxLines: fc.nat(10), maxChars: fc.nat(100), maxTokens: fc.nat(60) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(arbitraryText, caps, fc.constantFrom("head", "tail"), (text, limits, end) => {
        const fit = fitLines(text, limits, end);
        const part = text.slice(fit.start, fit.end);
        const fits = (kept: string): boolean =>
          byteLength(kept) <= (limits.maxBytes ?? Infinity) &&
          [...kept].length <= (limits.maxChars ?? Infinity) &&
          estimateTokens(kept) <= (limits.maxTokens ?? Infinity) &&
          countLines(kept) <= (limits.maxLines ?? Infinity);

        expect(fit).toMatchObject({
          lines: countLines(part),
          bytes: byteLength(part),
          chars: [...part].length,
          tokens: estimateTokens(part),
        });
        expect(end === "head" ? fit.start : text.slice(fit.end)).toBe(
          end === "head" ? 0 : fit.end === text.length ? "" : "\n",
        );
        if (fit.stoppedBy === null) {
          expect(part).toBe(text);
          expect(fits(text.replace(/\n$/, ""))).toBe(true);
          return;
        }
        expect(fits(part)).toBe(true);
        expect(fits(oneLineMore(text, fit, end))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("refuses caps that are no whole numbers", () => {
    expect(() => fitLines("a", { maxTokens: 0.5 }, "head")).toThrow("Invalid maxTokens 0.5");
  });
});

// The shortest longer part by lines: an empty line only shows with its LF.
function oneLineMore(
  text: string,
  { start, end, lines }: { start: number; end: number; lines: number },
  from: string,
): string {
  if (from === "head") {
    const lineStart = lines === 0 || text[end - 1] === "\n" ? end : end + 1;
    const next = text.indexOf("\n", lineStart);
    const lineEnd = next < 0 ? text.length : next;
    return text.slice(0, lineEnd === lineStart ? lineEnd + 1 : lineEnd);
  }
  const last = text.endsWith("\n") ? text.length - 1 : text.length;
  const lineEnd = lines === 0 ? last : start - 1;
  const lineStart = lineEnd <= 0 ? 0 : text.lastIndexOf("\n", lineEnd - 1) + 1;
  const lastIsEmpty = last === 0 || text[last - 1] === "\n";
  return text.slice(lineStart, lastIsEmpty && last < text.length ? last + 1 : last);
}
