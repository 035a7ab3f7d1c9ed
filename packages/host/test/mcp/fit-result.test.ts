import { readFile } from "node:fs/promises";
import { createToolbox, renderForModel, type Toolbox, type ToolOutcome } from "@spillway/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fitResult } from "../../src/mcp/fit-result.ts";
import { MCP_LIMITS, mcpLimits } from "../../src/mcp/limits.ts";
import { createOutputCopies, type OutputCopies } from "../../src/mcp/output-copies.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

/** Numbers that look random and are the same in each run (Park and Miller). */
function randomNumbers(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
}

/** 64 characters a line. */
function linesOf(count: number, characterAt: (random: (below: number) => number) => string): string {
  const random = randomNumbers();
  const line = (): string => `${Array.from({ length: 64 }, () => characterAt(random)).join("")}\n`;
  return Array.from({ length: count }, line).join("");
}

const HEX = linesOf(500, (random) => random(16).toString(16));
const FILES = {
  "hex.txt": HEX,
  "digits.txt": linesOf(600, (random) => String(random(10))),
  "signs.txt": linesOf(600, (random) => String.fromCharCode(33 + random(94))),
  "cjk.txt": linesOf(150, (random) => String.fromCodePoint(0x4e00 + random(0x5000))),
  "rare.txt": linesOf(150, (random) => String.fromCodePoint(0x20000 + random(0x5000))),
  // Sparse at first and dense at the end, and the other way round.
  "mixed.txt": `${"some ordinary words in a line\n".repeat(600)}${HEX.slice(0, 20_000)}\n`,
  "mixed-tail.txt": `${HEX.slice(0, 20_000)}\n${"some ordinary words in a line\n".repeat(600)}`,
};

let home: CliHome;
let toolbox: Toolbox;
let copies: OutputCopies;
beforeAll(async () => {
  home = await createCliHome(FILES);
  toolbox = await createToolbox({ root: home.root, dataDir: home.dataDir, limits: mcpLimits() });
  copies = createOutputCopies(`${toolbox.scratchDir}/tool-output`);
});
afterAll(async () => {
  await copies.close();
  await toolbox.close({ remove: true });
  await home.remove();
});

const { resultMaxChars: maxChars, resultMaxTokens: maxTokens } = MCP_LIMITS;

async function countTokens(text: string): Promise<number> {
  return (await toolbox.countTokens([text]))[0] ?? Number.NaN;
}

function fit(outcome: ToolOutcome, shown?: (outcome: ToolOutcome) => string): Promise<ToolOutcome> {
  const options = { maxChars, maxTokens, countTokens, keepWhole: copies.save };
  return fitResult(outcome, { ...options, ...(shown !== undefined && { shown }) });
}

describe("fitResult", () => {
  test.each(Object.keys(FILES))("a page of %s has at most 10 000 real tokens, and not far less", async (path) => {
    const fitted = await fit(await toolbox.call("Read", { path }));
    const tokens = await countTokens(renderForModel(fitted));
    expect(tokens).toBeLessThanOrEqual(10_000);
    expect(tokens).toBeGreaterThan(6_000);
  });

  test("pages of a dense file go on where the last one ended", async () => {
    const rows: string[] = [];
    let next: Record<string, unknown> | undefined = { path: "hex.txt" };
    while (next !== undefined) {
      const page: ToolOutcome = await fit(await toolbox.call("Read", next));
      if (!page.ok || page.tool !== "Read") throw new Error("The page could not be read");
      rows.push(...page.result.content.split("\n").slice(1));
      next = page.result.next;
    }
    expect(rows).toEqual(
      HEX.trimEnd()
        .split("\n")
        .map((line, index) => `${index + 1}:${line}`),
    );
  });

  test.each(["hex.txt", "cjk.txt"])("output like %s is cut as well, and the whole of it is saved", async (name) => {
    const fitted = await fit(await toolbox.call("Bash", { command: `cat ${name}` }));
    const text = renderForModel(fitted);
    expect(await countTokens(text)).toBeLessThanOrEqual(10_000);
    const [, path = ""] = /Full output saved to (\S+)/.exec(text) ?? [];
    expect(await readFile(path, "utf8")).toBe(await readFile(home.path(name), "utf8"));
    expect((await toolbox.call("Read", { path, offset: 100, limit: 1 })).ok).toBe(true);
  });

  test("the output of a failed command is within the tokens too", async () => {
    const fitted = await fit(await toolbox.call("Bash", { command: "head -c 26000 rare.txt; exit 1" }));
    expect(fitted.ok).toBe(false);
    const text = renderForModel(fitted);
    expect(await countTokens(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/exit code 1[\s\S]*Full output saved to /);
  });

  test("counts what is shown, where that is not the text", async () => {
    const shown = ({ result }: ToolOutcome): string => JSON.stringify(result);
    const fitted = await fit(await toolbox.call("Read", { path: "hex.txt" }), shown);
    expect(await countTokens(shown(fitted))).toBeLessThanOrEqual(10_000);
  });

  test("a failure that is all message is shortened, and says so", async () => {
    const message = FILES["rare.txt"];
    const fitted = await fit({ ok: false, tool: "Edit", error: { code: "EDIT_REFUSED", message } });
    const text = renderForModel(fitted);
    expect(await countTokens(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/^Error EDIT_REFUSED: [\s\S]*truncated/);
  });

  test("leaves a short result alone, without a count", async () => {
    const outcome = await toolbox.call("Glob", { pattern: "hex*" });
    const never = (): Promise<never> => Promise.reject(new Error("This is not needed"));
    expect(await fitResult(outcome, { maxChars, maxTokens, countTokens: never, keepWhole: never })).toBe(outcome);
  });

  test("ends with the facts where a count never fits", async () => {
    const outcome = await toolbox.call("Read", { path: "hex.txt" });
    const fitted = await fitResult(outcome, {
      ...{ maxChars, maxTokens, keepWhole: copies.save },
      countTokens: async () => 1_000_000,
    });
    expect(renderForModel(fitted).length).toBeLessThan(1_000);
  });
});
