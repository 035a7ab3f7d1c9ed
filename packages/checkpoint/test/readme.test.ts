import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";

const examples = await readmeExamples("packages/checkpoint/README.md");

describe("README", () => {
  test("has its examples", () => {
    expect(examples.map(({ expected }) => expected.length)).toEqual([2, 1]);
  });

  test.each(examples)("prints what the example at line $line says", async (example) => {
    expect(await runExample(example)).toEqual(example.expected);
  });
});
