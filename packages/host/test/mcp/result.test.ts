import { createToolbox, type Toolbox } from "@spillway/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpLimits } from "../../src/mcp/limits.ts";
import { type ResultOptions, structuredResult, textResult } from "../../src/mcp/result.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
let toolbox: Toolbox;
beforeAll(async () => {
  const quoted = `${'"\\\t'.repeat(30)}\n`.repeat(2_000);
  const blank = `${" ".repeat(200)}end\n`.repeat(250);
  home = await createCliHome({ "notes.txt": "one\ntwo\n", "quoted.txt": quoted, "blank.txt": blank });
  toolbox = await createToolbox({ root: home.root, dataDir: home.dataDir, limits: mcpLimits() });
});
afterAll(async () => {
  await toolbox.close();
  await home.remove();
});

const options: ResultOptions = {
  maxChars: 40_000,
  maxTokens: 10_000,
  countTokens: async (text) => (await toolbox.countTokens([text]))[0] ?? Number.NaN,
  keepWhole: async (outcome) => outcome,
};

describe("textResult", () => {
  test("is the text that a model sees, without data", async () => {
    const outcome = await toolbox.call("Glob", { pattern: "no*.txt" });
    expect(await textResult(outcome, options)).toEqual({ content: [{ type: "text", text: "notes.txt" }] });
  });

  test("marks a failure", async () => {
    const outcome = await toolbox.call("Read", { path: "none.txt" });
    expect(await textResult(outcome, options)).toMatchObject({
      isError: true,
      content: [{ text: /^Error NOT_FOUND/ }],
    });
  });

  test("is within 40 000 characters, of a failed call within 10 000", async () => {
    const [good, failed] = await Promise.all([
      toolbox.call("Bash", { command: "head -c 1000000 /dev/zero | tr '\\0' x | fold -w 99" }),
      toolbox.call("Bash", { command: "head -c 1000000 /dev/zero | tr '\\0' x | fold -w 99; exit 1" }),
    ]);
    const lengths = await Promise.all(
      [good, failed].map(async (outcome) => JSON.stringify((await textResult(outcome, options)).content).length),
    );
    expect(lengths[0]).toBeLessThan(41_000);
    expect(lengths[1]).toBeLessThan(10_500);
  });
});

describe("structuredResult", () => {
  test("has everything of the result in the data", async () => {
    const outcome = await toolbox.call("Read", { path: "notes.txt" });
    const { structuredContent } = await structuredResult(outcome, options);
    expect(structuredContent).toMatchObject({ path: "notes.txt", totalLines: 2, truncated: false });
    expect(structuredContent).toHaveProperty("content", expect.stringMatching(/^\[notes\.txt#\w{4}\]\n1:one\n2:two$/));
  });

  test("cuts until the JSON is within the limits, where escapes make it longer than the text, and says where to go on", async () => {
    const outcome = await toolbox.call("Read", { path: "quoted.txt" });
    const { structuredContent, content } = await structuredResult(outcome, options);
    const json = JSON.stringify(structuredContent);
    expect(json.length).toBeLessThanOrEqual(40_000);
    const tokens = await options.countTokens(json);
    expect(tokens).toBeLessThanOrEqual(10_000);
    expect(tokens).toBeGreaterThan(7_000);
    expect(structuredContent).toMatchObject({
      truncated: true,
      next: { path: "quoted.txt", offset: expect.any(Number) },
    });
    expect(content).toHaveLength(1);
  });

  test("cuts by characters where the JSON has few tokens", async () => {
    const outcome = await toolbox.call("Read", { path: "blank.txt" });
    const size = JSON.stringify((await structuredResult(outcome, options)).structuredContent).length;
    expect(size).toBeLessThanOrEqual(40_000);
    expect(size).toBeGreaterThan(35_000);
  });

  test("has no data of a failed call, which clients drop", async () => {
    const outcome = await toolbox.call("Bash", { command: "echo why; exit 2" });
    const result = await structuredResult(outcome, options);
    expect(result).not.toHaveProperty("structuredContent");
    expect(result).toMatchObject({ isError: true, content: [{ text: /exit code 2[\s\S]*why/ }] });
  });
});
