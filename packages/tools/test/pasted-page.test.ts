import { describe, expect, test } from "vitest";
import { createPageProof } from "../src/page-proof.ts";
import { cleanPastedPage, mayBePage } from "../src/pasted-page.ts";
import type { KnownPage } from "../src/worker/clean-pages.ts";

const shown: KnownPage = { text: Buffer.from("alpha\r\n\n  beta\n80\n"), seen: [[1, 3]] };
const proof = createPageProof([shown], new Set(["A3F9"]));

function clean(text: string): string | undefined {
  const page = cleanPastedPage(text, proof);
  if (!page.cleaned) expect(page.text).toBe(text);
  return page.cleaned ? page.text : undefined;
}

describe("cleanPastedPage", () => {
  test.each([
    ["a page under a header that is ours", "[x.txt#A3F9]\n1:one\n2:\n5:  five", "one\n\n  five"],
    ["a final line end stays", "[x.txt#a3f9]\n1:one\n", "one\n"],
    ["a header alone", "[x.txt#A3F9]\n", ""],
    ["only proven lines where not all are numbered", "[x.txt#A3F9]\n1:alpha\nnew\n7:alpha", "alpha\nnew\n7:alpha"],
    [
      "an edited line between proven ones, an inserted line that looks numbered stays",
      "[x.txt#A3F9]\n1:alpha\n2:changed\nnew\n443:443\n3:  beta",
      "alpha\nchanged\nnew\n443:443\n  beta",
    ],
    ["numbers that fall are content", "[x.txt#A3F9]\n3:c\n1:alpha", "3:c\nalpha"],
    ["shown lines without a header", "1:alpha\n2:\n3:  beta", "alpha\n\n  beta"],
    ["a single line that was shown there", "3:  beta", "  beta"],
  ])("takes the numbers off: %s", (_, text, expected) => expect(clean(text)).toBe(expected));

  test.each([
    ["a header that is nobody's", "[x.txt#0000]\n1:one"],
    ["real content", "80:80\n443:443"],
    ["a line with another text", "1:alpha\n3:beta"],
    ["a line that was shown elsewhere", "2:alpha"],
    ["a line that was not shown", "4:80"],
    ["one line too many", "1:alpha\nrest"],
    ["numbers in front of nothing", "2:"],
    ["an empty text", ""],
  ])("leaves alone: %s", (_, text) => expect(clean(text)).toBeUndefined());
});

describe("mayBePage", () => {
  test.each([
    ["[x.txt#0000]\nx", true],
    ["1:x\ny", true],
    ["x\n1:y", false],
    ["", false],
    [`1:${"x".repeat(2_000_000)}`, false],
  ])("%j: %s", (text, expected) => expect(mayBePage(text)).toBe(expected));
});
