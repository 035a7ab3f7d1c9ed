import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BUDGET_SHELL,
  BUDGET_SHELL_ERR,
  CAPTURE_MAX_BYTES,
  CAPTURE_MAX_LINES,
  clipLine,
  createCapture,
  SPILL_MAX_BYTES,
  takeTokens,
  truncate,
  truncateMiddle,
} from "../src/index.ts";
import { arbitraryBytes, arbitraryChunks, arbitraryText } from "./arbitrary-text.ts";

describe("acceptance", () => {
  test("9. Cut results are valid UTF-8 text", () => {
    const isUtf8 = (text: string): boolean =>
      Buffer.from(text, "utf8").toString("utf8") === text && text.isWellFormed();
    fc.assert(
      fc.property(
        arbitraryText,
        fc.integer({ min: 1, max: 80 }),
        arbitraryChunks(arbitraryBytes),
        (text, max, chunks) => {
          for (const keep of ["head", "tail", "both"] as const) {
            expect(isUtf8(truncate(text, { maxBytes: max, maxLines: 5, keep }).text)).toBe(true);
          }
          for (const keep of ["head", "tail"] as const) {
            const capture = createCapture({ maxBytes: max, maxLines: 5, keep });
            for (const chunk of chunks) capture.push(chunk);
            expect(isUtf8(capture.finish().text)).toBe(true);
            expect(isUtf8(takeTokens(text, max, keep))).toBe(true);
          }
          expect(isUtf8(truncateMiddle(text, max).text)).toBe(true);
          expect(isUtf8(clipLine(text, max).text)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("10. The capture ceiling is above the result budget; what was omitted is reported", () => {
    for (const budget of [BUDGET_SHELL, BUDGET_SHELL_ERR]) {
      expect(CAPTURE_MAX_BYTES).toBeGreaterThan(budget.maxBytes);
      expect(CAPTURE_MAX_LINES).toBeGreaterThan(budget.maxLines);
      expect(SPILL_MAX_BYTES).toBeGreaterThan(budget.maxBytes);
    }
    const capture = createCapture({ maxBytes: CAPTURE_MAX_BYTES, maxLines: CAPTURE_MAX_LINES, keep: "head" });
    capture.push(new TextEncoder().encode("0123456789\n".repeat(100_000)));
    const { text, ...totals } = capture.finish();
    const result = truncate(text, BUDGET_SHELL, { capture: totals, spillPath: "/s/stdout-1-0.log" });
    expect(capture.bytes().length).toBeGreaterThan(result.keptBytes);
    expect(result.omitted).toEqual({ firstLine: 4_001, lastLine: 100_000, lines: 96_000, bytes: 1_056_001 });
    expect(result.text).toContain(
      "Partial output (first 524288 of 1100000 bytes, 47663 of 100000 lines) saved to /s/stdout-1-0.log",
    );
  });
});
