import { describe, expect, test } from "vitest";
import { markdownBlock } from "../../src/edit/markdown-blocks.ts";

function block(text: string, line: number): readonly [number, number] | undefined {
  return markdownBlock(text.split("\n"), line);
}

const TEXT = `---
title: x
---
# One
text

## One A
- a list
---
## One B
\`\`\`sh
# no heading
\`\`\`

Two
===
text
Three
---
end`;

describe("markdownBlock", () => {
  test.each([
    ["a heading, to the next one of its level or above", 4, [4, 13]],
    ["a heading below, without the empty lines behind it", 7, [7, 9]],
    ["the last of its level", 10, [10, 13]],
    ["an underlined heading", 15, [15, 20]],
    ["an underlined one of the second level", 18, [18, 20]],
    ["a fenced block", 11, [11, 13]],
    ["the front matter", 1, [1, 3]],
  ])("finds %s", (_, line, expected) => expect(block(TEXT, line)).toEqual(expected));

  test.each([
    ["plain text", 5],
    ["an empty line", 6],
    ["a list entry above a rule", 8],
    ["a comment inside a fence", 12],
    ["the rule under a heading", 16],
    ["a line past the end", 99],
  ])("finds nothing at %s", (_, line) => expect(block(TEXT, line)).toBeUndefined());

  test("takes an open fence to the end of the text", () => {
    expect(block("~~~\n```\nx", 1)).toEqual([1, 3]);
  });

  test("is nothing for a heading with nothing below it", () => {
    expect(block("# A\n\n# B", 1)).toBeUndefined();
  });
});
