import { describe, expect, test } from "vitest";
import { type EncodingName, encodeText } from "../../src/encoding.ts";
import { genuineReplacements } from "../../src/worker/genuine-replacements.ts";

describe("genuineReplacements", () => {
  test.each<EncodingName>(["utf-8", "utf-16le", "utf-16be", "gb18030"])("counts U+FFFD that %s writes", (name) => {
    expect(genuineReplacements(encodeText("a\ufffdb\ufffd\ufffd汉", name), name)).toBe(3);
    expect(genuineReplacements(encodeText("a汉", name), name)).toBe(0);
  });

  test("is none in an encoding that does not have it", () => {
    expect(genuineReplacements(Buffer.from([0xef, 0xbf, 0xbd]), "windows-1252")).toBe(0);
  });

  test("does not take halves of two UTF-16 characters for one", () => {
    // U+FD41 U+41FF in big-endian order holds FF FD nowhere; U+41FF U+FD41 holds it across their border.
    expect(genuineReplacements(encodeText("\u41ff\ufd41", "utf-16be"), "utf-16be")).toBe(0);
  });
});
