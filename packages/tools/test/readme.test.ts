import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";
import { TOOL_ERROR_CODES } from "../src/error.ts";

const examples = await readmeExamples("packages/tools/README.md");

describe("the package's README", () => {
  test.each(examples)("runs the example at line $line", async (example) => {
    expect(example.expected.length).toBeGreaterThan(0);
    expect(await runExample(example)).toEqual(example.expected);
  });

  test("lists every error code", async () => {
    const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
    const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(listed.sort()).toEqual(
      Object.keys(TOOL_ERROR_CODES)
        .filter((code) => !code.startsWith("EDIT_"))
        .sort(),
    );
    const edit = await readFile(new URL("../docs/edit.md", import.meta.url), "utf8");
    for (const code of Object.keys(TOOL_ERROR_CODES)) {
      if (code.startsWith("EDIT_")) expect(edit).toContain(`\`${code}\``);
    }
  });
});
