import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readmeExamples, runExample } from "../../../../scripts/readme-examples.ts";
import { CLIENT_NAMES, clientConfig } from "../../src/mcp/client-config.ts";
import { CALL_TIMEOUT_S, MCP_LIMITS } from "../../src/mcp/limits.ts";

const page = await readFile(new URL("../../docs/mcp.md", import.meta.url), "utf8");
const examples = await readmeExamples("packages/host/docs/mcp.md");

describe("docs/mcp.md", () => {
  test.each(examples)("the example at line $line prints what it says", async (example) => {
    expect(await runExample(example)).toEqual(example.expected);
  });

  test.each(CLIENT_NAMES)("has for %s what --print-config prints", (client) => {
    const args = ["-y", "@spillway/host", "mcp", "--root", "/path/to/project"];
    const { text } = clientConfig(client, { command: "npx", args, env: {} });
    const [, block = ""] = new RegExp(`\\n\`\`\`(?:json|toml) ${client}\\n([^\`]*)\\n\`\`\`\\n`).exec(page) ?? [];
    if (client === "codex") expect(block).toBe(text);
    else expect(JSON.parse(block)).toEqual(JSON.parse(text));
  });

  test.each([
    ["characters of a result", MCP_LIMITS.resultMaxChars],
    ["tokens of a result", MCP_LIMITS.resultMaxTokens],
    ["characters of a failed call", MCP_LIMITS.errorMaxChars],
    ["seconds of a command, the most that `timeout` can ask for", MCP_LIMITS.bashMaxTimeoutS],
    ["seconds of any other call", CALL_TIMEOUT_S],
  ])("names the limit of %s", (name, value) => {
    const shown = String(value).replace(/(?<=\d)(?=\d{3}$)/, " ");
    expect(page).toContain(`| ${name} | ${shown} |`);
  });
});
