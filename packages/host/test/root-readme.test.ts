import { readFile } from "node:fs/promises";
import { DEFAULT_LIMITS } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../scripts/readme-examples.ts";

const examples = await readmeExamples("README.md");

describe("the repository's README", () => {
  test("has an example for each package", () => {
    for (const name of ["limits", "tools", "checkpoint", "host"]) {
      expect(examples.filter(({ code }) => code.includes(`"@spillway/${name}"`)).length, name).toBeGreaterThan(0);
    }
  });

  test.each(examples)("runs the example at line $line", async (example) => {
    const printed = await runExample(example);
    expect(printed.join("")).not.toBe("");
    if (example.expected.length > 0) expect(printed).toEqual(example.expected);
  });

  test("shows the numbers of the defaults", async () => {
    const text = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
    const { search, shell, shellErr, ...limits } = DEFAULT_LIMITS;
    const spaced = (value: number): string => value.toLocaleString("en").replaceAll(",", " ");
    const kb = (bytes: number): string => `${bytes / 1024} KB`;
    for (const fact of [
      `| ${kb(search.maxBytes)}, ${spaced(search.maxLines)} lines |`,
      `| ${spaced(limits.readDefaultLines)} lines (at most ${spaced(limits.readMaxLines)}), ${spaced(limits.readMaxChars)} characters, ${spaced(Math.ceil(limits.readMaxChars / 4))} estimated tokens |`,
      `| ${spaced(limits.maxLineChars)} characters |`,
      `| ${limits.grepHeadLimit} matches / ${limits.globLimit} entries (at most ${spaced(limits.globMaxLimit)}) |`,
      `| ${kb(shell.maxBytes)}, ${spaced(shell.maxLines)} lines, the head is kept |`,
      `| ${kb(shellErr.maxBytes)}, ${spaced(shellErr.maxLines)} lines, the tail is kept |`,
      `| ${kb(limits.captureMaxBytes)}, ${spaced(limits.captureMaxLines)} lines a stream; the rest is counted |`,
      `| ${limits.bashTimeoutS} s, from ${limits.bashMinTimeoutS} s to ${spaced(limits.bashMaxTimeoutS)} s |`,
      `| ${spaced(limits.retainedUserMessageTokens)} tokens, 75 % head and 25 % tail |`,
    ]) {
      expect(text).toContain(fact);
    }
  });
});
