import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../../scripts/readme-examples.ts";

describe("docs/edit.md", async () => {
  const examples = await readmeExamples("packages/tools/docs/edit.md");

  test("has examples", () => expect(examples).toHaveLength(2));

  test.each(examples)("prints what it says, line $line", async (example) => {
    expect(await runExample(example)).toEqual(example.expected);
  });
});
