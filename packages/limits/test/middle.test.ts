import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECKPOINT_MARKER } from "../src/marker.ts";
import { estimateTokens } from "../src/measure.ts";
import { truncateMiddle } from "../src/middle.ts";
import { arbitraryText } from "./arbitrary-text.ts";

describe("truncateMiddle", () => {
  test("gives back a text within the allowance", () => {
    expect(truncateMiddle("abcdefgh", 2)).toEqual({ text: "abcdefgh", truncated: false });
    expect(truncateMiddle("", 0)).toEqual({ text: "", truncated: false });
  });

  test("keeps three quarters of the allowance from the head and one from the tail", () => {
    const text = `${"h".repeat(1_000)}${"t".repeat(1_000)}`;
    // 30 tokens weigh 120 characters, 72 of them are the marker's.
    expect(truncateMiddle(text, 30)).toEqual({
      text: `${"h".repeat(36)}[checkpoint truncated: this message crossed the retained context budget]${"t".repeat(12)}`,
      truncated: true,
    });
  });

  test("takes another share and another marker", () => {
    const text = `${"汉".repeat(50)}${"字".repeat(50)}`;
    expect(truncateMiddle(text, 11, { headShare: 0.5, marker: "[…]" }).text).toBe(
      `${"汉".repeat(4)}[…]${"字".repeat(4)}`,
    );
    expect(truncateMiddle(text, 11, { headShare: 1, marker: "[cut]" }).text).toBe(`${"汉".repeat(9)}[cut]`);
    expect(truncateMiddle(text, 11, { headShare: 0, marker: "[cut]" }).text).toBe(`[cut]${"字".repeat(9)}`);
  });

  test("is the marker alone below the marker's own cost", () => {
    expect(truncateMiddle("word ".repeat(100), 17)).toEqual({ text: CHECKPOINT_MARKER, truncated: true });
    expect(truncateMiddle("word ".repeat(100), 18).text).toBe(CHECKPOINT_MARKER);
    expect(truncateMiddle(CHECKPOINT_MARKER, 3).text).toBe(CHECKPOINT_MARKER);
  });

  test("is within the allowance, well-formed, idempotent, and head and tail of any text", () => {
    const options = fc.record(
      { headShare: fc.double({ min: 0, max: 1, noNaN: true }), marker: fc.constantFrom("[cut]", "[切]", "") },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(arbitraryText, fc.nat(120), options, (text, maxTokens, given) => {
        const { marker = CHECKPOINT_MARKER } = given;
        const result = truncateMiddle(text, maxTokens, given);
        const source = text.toWellFormed();

        expect(truncateMiddle(result.text, maxTokens, given).text).toBe(result.text);
        expect(result.text.isWellFormed()).toBe(true);
        expect(result.truncated).toBe(estimateTokens(text) > maxTokens);
        if (!result.truncated) {
          expect(result.text).toBe(source);
          return;
        }
        if (maxTokens < estimateTokens(marker)) {
          expect(result.text).toBe(marker);
          return;
        }
        expect(estimateTokens(result.text)).toBeLessThanOrEqual(maxTokens);
        const at = result.text.indexOf(marker);
        expect(marker === "" || source.startsWith(result.text.slice(0, at))).toBe(true);
        expect(marker === "" || source.endsWith(result.text.slice(at + marker.length))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["maxTokens -1", () => truncateMiddle("a", -1), "Invalid maxTokens -1: pass a whole number from 0 to"],
    ["maxTokens 0.5", () => truncateMiddle("a", 0.5), "Invalid maxTokens 0.5: pass a whole number from 0 to"],
    ["headShare 2", () => truncateMiddle("a", 1, { headShare: 2 }), "Invalid headShare 2: pass a number from 0 to 1"],
    ["headShare NaN", () => truncateMiddle("a", 1, { headShare: Number.NaN }), "Invalid headShare NaN"],
  ])("refuses %s", (_, call, message) => {
    expect(call).toThrow(message);
  });
});
