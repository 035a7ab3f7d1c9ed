import { describe, expect, test } from "vitest";
import { validShare } from "../../src/encoding/utf8-share.ts";

describe("validShare", () => {
  test.each([
    ["plain", 1],
    ["", 1],
    ["\xc3\xa9", 1],
    ["\xe9", 0],
    ["\xc3\xa9\xe9x", 2 / 3],
    ["\xf0\x9f\x8e\x88", 1],
    // A sequence that the end cuts off, where others are whole.
    ["\xc3\xa9\xe6\xb1", 1],
    ["\xe6\xb1", 0],
    // Over-long, surrogate, beyond the last code point.
    ["\xc0\xaf", 0],
    ["\xe0\x80\x80x", 0],
    ["\xed\xa0\x80x", 0],
    ["\xf5\x80\x80\x80x", 0],
  ])("of %j is %d", (text, share) => {
    expect(validShare(Buffer.from(text, "latin1"))).toBeCloseTo(share, 10);
  });
});
