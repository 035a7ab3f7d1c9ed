import { describe, expect, test } from "vitest";
import { decodeWestern } from "../../src/encoding/western.ts";

describe("decodeWestern", () => {
  test("reads all 256 bytes, each as one character of its own", () => {
    const text = decodeWestern(Uint8Array.from({ length: 256 }, (_, byte) => byte));
    expect(text).toHaveLength(256);
    expect(new Set(text).size).toBe(256);
    expect(text.slice(0x80, 0xa0)).toBe("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ");
    expect(text.slice(0xe0, 0xf0)).toBe("àáâãäåæçèéêëìíîï");
  });
});
