import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";

const examples = await readmeExamples("packages/checkpoint/README.md");
const model = await readFile(new URL("./fixtures/reading-model.ts", import.meta.url), "utf8");

describe("README", () => {
  test("has its examples", () => {
    expect(examples.map(({ expected }) => expected.length)).toEqual([2, 1, 4]);
  });

  test.each(examples)("prints what the example at line $line says", async (example) => {
    expect(await runExample(example, { "model.ts": model })).toEqual(example.expected);
  });
});
