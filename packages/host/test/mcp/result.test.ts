import { createToolbox, type Toolbox } from "@spillway/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpLimits } from "../../src/mcp/limits.ts";
import { structuredResult, textResult } from "../../src/mcp/result.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
let toolbox: Toolbox;
beforeAll(async () => {
  const quoted = `${'"\\\t'.repeat(30)}\n`.repeat(2_000);
  home = await createCliHome({ "notes.txt": "one\ntwo\n", "quoted.txt": quoted });
  toolbox = await createToolbox({ root: home.root, dataDir: home.dataDir, limits: mcpLimits() });
});
afterAll(async () => {
  await toolbox.close();
  await home.remove();
});

describe("textResult", () => {
  test("is the text that a model sees, without data", async () => {
    const outcome = await toolbox.call("Glob", { pattern: "no*.txt" });
    expect(textResult(outcome)).toEqual({ content: [{ type: "text", text: "notes.txt" }] });
  });

  test("marks a failure", async () => {
    const outcome = await toolbox.call("Read", { path: "none.txt" });
    expect(textResult(outcome)).toMatchObject({ isError: true, content: [{ text: /^Error NOT_FOUND/ }] });
  });

  test("is within 40 000 characters, of a failed call within 10 000", async () => {
    const [good, failed] = await Promise.all([
      toolbox.call("Bash", { command: "head -c 1000000 /dev/zero | tr '\\0' x | fold -w 99" }),
      toolbox.call("Bash", { command: "head -c 1000000 /dev/zero | tr '\\0' x | fold -w 99; exit 1" }),
    ]);
    const lengths = [good, failed].map((outcome) => JSON.stringify(textResult(outcome).content).length);
    expect(lengths[0]).toBeLessThan(41_000);
    expect(lengths[1]).toBeLessThan(10_500);
  });
});

describe("structuredResult", () => {
  test("has everything of the result in the data", async () => {
    const outcome = await toolbox.call("Read", { path: "notes.txt" });
    const { structuredContent } = structuredResult(outcome, 40_000);
    expect(structuredContent).toMatchObject({ path: "notes.txt", totalLines: 2, truncated: false });
    expect(structuredContent).toHaveProperty("content", expect.stringMatching(/^\[notes\.txt#\w{4}\]\n1:one\n2:two$/));
  });

  test("cuts until the JSON is within the limit, where escapes make it longer than the text, and says where to go on", async () => {
    const outcome = await toolbox.call("Read", { path: "quoted.txt" });
    const { structuredContent, content } = structuredResult(outcome, 40_000);
    const size = JSON.stringify(structuredContent).length;
    expect(size).toBeLessThanOrEqual(40_000);
    expect(size).toBeGreaterThan(25_000);
    expect(structuredContent).toMatchObject({
      truncated: true,
      next: { path: "quoted.txt", offset: expect.any(Number) },
    });
    expect(content).toHaveLength(1);
  });

  test("has no data of a failed call, which clients drop", async () => {
    const outcome = await toolbox.call("Bash", { command: "echo why; exit 2" });
    const result = structuredResult(outcome, 40_000);
    expect(result).not.toHaveProperty("structuredContent");
    expect(result).toMatchObject({ isError: true, content: [{ text: /exit code 2[\s\S]*why/ }] });
  });
});
