import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../../scripts/readme-examples.ts";

const examples = await readmeExamples("packages/host/docs/ai-sdk.md");

describe("docs/ai-sdk.md", () => {
  test("has an example of at most 30 lines", () => {
    expect(examples.map(({ code }) => code.trimEnd().split("\n").length <= 30)).toEqual([true]);
  });

  test.each(examples)("the example at line $line prints what it says", async (example) => {
    expect(await runExample(example)).toEqual(example.expected);
  });
});
