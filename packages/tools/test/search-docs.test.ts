import { expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";

const examples = await readmeExamples("packages/tools/docs/search.md");

test.each(examples)("docs/search.md, the example at line $line prints what it says", async (example) => {
  expect(example.expected.length).toBeGreaterThan(0);
  expect(await runExample(example)).toEqual(example.expected);
});
