import { describe, expect, test } from "vitest";
import { unprintableShare } from "../src/printable.ts";

describe("unprintableShare", () => {
  test.each([
    ["", 0],
    ["plain text\t\r\n\f\v\b\u001b[0m", 0],
    ["漢字 👍 é", 0],
    ["a\u0000b\u0007", 0.5],
    ["👍\ufffd", 0.5],
    ["\u007f\u0085\u009f", 1],
  ])("of %j is %d", (text, share) => {
    expect(unprintableShare(text)).toBe(share);
  });
});
