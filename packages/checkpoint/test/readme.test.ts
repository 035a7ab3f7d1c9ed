import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
const examples = await readmeExamples("packages/checkpoint/README.md");
const more = await readmeExamples("packages/checkpoint/docs/ai-sdk.md");
const model = await readFile(new URL("./fixtures/reading-model.ts", import.meta.url), "utf8");

describe("README", () => {
  test("has its examples within 120 lines", () => {
    expect(examples.map(({ expected }) => expected.length)).toEqual([2, 1]);
    expect(readme.trimEnd().split("\n").length).toBeLessThan(120);
  });

  test.each(examples)("prints what the example at line $line says", async (example) => {
    expect(await runExample(example, { "model.ts": model })).toEqual(example.expected);
  });
});

describe("docs/ai-sdk.md", () => {
  test.each(more)("prints what the example at line $line says", async (example) => {
    expect(example.expected).toHaveLength(4);
    expect(await runExample(example, { "model.ts": model })).toEqual(example.expected);
  });
});
