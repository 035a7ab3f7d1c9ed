import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFold, MAX_REDRAW_BYTES } from "../../src/shell/fold.ts";

function folded(...chunks: (string | Uint8Array)[]): string {
  const fold = createFold();
  const parts = chunks.map((chunk) => Buffer.from(fold.push(Buffer.from(chunk as string))));
  return Buffer.concat([...parts, fold.finish()]).toString("utf8");
}

describe("createFold", () => {
  test.each([
    ["leaves plain text", "one\ntwo\n", "one\ntwo\n"],
    ["leaves tabs, form feeds and bells", "a\tb\fc\x07\n", "a\tb\fc\x07\n"],
    ["leaves CRLF line ends", "one\r\ntwo\r\n", "one\r\ntwo\r\n"],
    ["removes colours", "\x1b[1;31mred\x1b[0m and \x1b[38;5;196mredder\x1b[m\n", "red and redder\n"],
    ["removes cursor movements and modes", "\x1b[?25l\x1b[2A\x1b[10;20Hx\x1b[?25h\n", "x\n"],
    ["removes titles that end with a bell", "\x1b]0;a title\x07text\n", "text\n"],
    ["removes links that end with a string terminator", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "link\n"],
    ["removes device and application strings", "\x1bPq#0\x1b\\a\x1b_Gx\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\\n", "abc\n"],
    ["removes character set and keypad switches", "\x1b(B\x1b=\x1b>\x1b7x\x1b8\n", "x\n"],
    ["keeps the last state of a redrawn line", "10%\r20%\r100%\n", "100%\n"],
    ["keeps a longer earlier state out of a shorter last one", "downloading\rdone\n", "done\n"],
    ["keeps a line whose return is followed by nothing", "done\r", "done"],
    ["keeps a line with several returns before its end", "done\r\r\n", "done\r\n"],
    ["keeps a line that ends after a return and a colour", "done\r\x1b[0m\n", "done\n"],
    ["empties a line that is erased after a return", "working\r\x1b[K\n", "\n"],
    ["empties a line that is erased as a whole", "working\x1b[2K\r\n", "\r\n"],
    ["keeps a line whose end alone is erased", "working\x1b[K\n", "working\n"],
    ["takes a move to the first column for a return", "10%\x1b[1G20%\x1b[G30%\n", "30%\n"],
    ["overwrites after backspaces", "- \b\b\\ \b\b| \b\bok\n", "ok\n"],
    ["overwrites after moves to the left", "a1\x1b[1D2\x1b[D3\n", "a3\n"],
    ["overwrites whole characters", "日本\b\b英\n", "英\n"],
    ["keeps what trailing backspaces stand on", "abc\b\b\n", "abc\n"],
    ["turns overstruck bold into plain text", "N\bNA\bA\n", "NA\n"],
    ["does not reach back over a line end", "one\n\b\b\b\x1b[2Ktwo\n", "one\ntwo\n"],
    ["ends an unfinished title at the line end", "\x1b]never ended\nnext\n", "\nnext\n"],
    ["ends an unfinished sequence at the line end", "\x1b[12\nnext\n", "\nnext\n"],
    ["drops an escape that begins nothing", "a\x1b\u00e9b\n", "a\u00e9b\n"],
    ["drops an escape at the end", "a\x1b", "a"],
    ["starts again at an escape within a sequence", "\x1b[1\x1b[31mx\n", "x\n"],
  ])("%s", (_title, input, output) => {
    expect(folded(input)).toBe(output);
  });

  test("leaves bytes that are no UTF-8", () => {
    const bytes = Buffer.from([0x80, 0xff, 0x0a, 0xc3]);
    const fold = createFold();
    expect(Buffer.concat([fold.push(bytes), fold.finish()])).toEqual(bytes);
  });

  test("gives a sequence of more than 256 bytes up", () => {
    expect(folded(`\x1b[${"1;".repeat(200)}mend\n`)).toMatch(/^[1;]+mend\n$/);
  });

  test("settles the beginning of a very long line and redraws only the rest", () => {
    const long = "x".repeat(MAX_REDRAW_BYTES);
    expect(folded(`${long}tail\rlast\n`)).toBe(`${long}last\n`);
  });

  test("never splits a character at the settled border", () => {
    const long = `${"x".repeat(MAX_REDRAW_BYTES - 1)}日`;
    expect(folded(`${long}\b\rend\n`)).toBe(`${long}end\n`);
  });

  test("calls a chunk plain only when nothing in it or before it can be folded", () => {
    const fold = createFold();
    expect(fold.isPlain(Buffer.from("text\n"))).toBe(true);
    expect(fold.isPlain(Buffer.from("a\rb"))).toBe(false);
    expect(fold.isPlain(Buffer.from("a\x1b[m"))).toBe(false);
    expect(fold.isPlain(Buffer.from("a\b"))).toBe(false);
    fold.push(Buffer.from("10%\r"));
    expect(fold.isPlain(Buffer.from("20%"))).toBe(false);
  });

  const noisy = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
        fc.constantFrom(
          "\n",
          "\r",
          "\r\n",
          "\b",
          "\x1b",
          "\x1b[",
          "\x1b[31m",
          "\x1b[K",
          "\x1b[2K",
          "\x1b[G",
          "\x1b[3D",
          "\x1b]0;t",
          "\x07",
          "\x1b\\",
          "\x1b(B",
          "日本",
        ),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(""));

  test("gives the same however the stream is cut", () => {
    fc.assert(
      fc.property(noisy, fc.array(fc.nat(40), { maxLength: 20 }), (text, sizes) => {
        const bytes = Buffer.from(text);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        chunks.push(bytes.subarray(at));
        expect(folded(...chunks)).toBe(folded(bytes));
      }),
      { numRuns: 300 },
    );
  });

  test("never takes a line feed, and has nothing left to do the second time", () => {
    fc.assert(
      fc.property(noisy, (text) => {
        const once = folded(text);
        expect(once.split("\n").length).toBe(text.split("\n").length);
        expect(once.length).toBeLessThanOrEqual(text.length);
        expect(folded(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  test("gives the same when plain chunks were skipped before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 20 }), { maxLength: 5 }),
        noisy,
        (plain, text) => {
          const before = plain.join("\n").replaceAll(/\p{Cc}/gu, "");
          const fold = createFold();
          const skipped = Buffer.from(before);
          fold.skip(skipped.subarray(0, 7));
          fold.skip(skipped.subarray(7));
          const passedOn = skipped.subarray(0, skipped.length - fold.unfinished().length);
          const rest = [Buffer.from(fold.push(Buffer.from(text))), Buffer.from(fold.finish())];
          expect(Buffer.concat([passedOn, ...rest]).toString("utf8")).toBe(folded(before + text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
