import { createHash } from "node:crypto";
import type { Worker } from "node:worker_threads";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { createWorkers, type Toolbox, type ToolOutcome } from "@spillway/tools";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { callTool } from "../../src/mcp/call-tool.ts";
import { createMcpServer, type McpServerOptions } from "../../src/mcp/server.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
beforeAll(async () => {
  const digests = Array.from(
    { length: 500 },
    (_, index) => `${createHash("sha256").update(`${index}`).digest("hex")}\n`,
  );
  home = await createCliHome({ "notes.txt": "one\n", "digests.txt": digests.join("") });
});
afterAll(() => home.remove());

async function connected(options: Partial<McpServerOptions> = {}): Promise<Client> {
  const tools = await createMcpServer({ root: home.root, dataDir: home.dataDir, ...options });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await tools.factory().connect(theirs);
  await client.connect(ours);
  onTestFinished(async () => {
    await client.close();
    await tools.close();
  });
  return client;
}

describe("createMcpServer", () => {
  test("says what each tool may do, and how large its results are", async () => {
    const { tools } = await (await connected()).listTools();
    const hints = tools.map(({ name, annotations, _meta }) => ({
      name,
      hints: [
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        annotations?.idempotentHint,
        annotations?.openWorldHint,
      ],
      chars: _meta?.["anthropic/maxResultSizeChars"],
    }));
    expect(hints).toEqual([
      { name: "Read", hints: [true, false, true, false], chars: 40_000 },
      { name: "Glob", hints: [true, false, true, false], chars: 40_000 },
      { name: "Grep", hints: [true, false, true, false], chars: 40_000 },
      { name: "Bash", hints: [false, true, false, true], chars: 40_000 },
      { name: "Write", hints: [false, true, true, false], chars: 40_000 },
      { name: "Edit", hints: [false, true, false, false], chars: 40_000 },
    ]);
    for (const tool of tools) expect(tool.outputSchema, tool.name).toBeUndefined();
    for (const tool of tools) expect(tool.description?.length, tool.name).toBeGreaterThan(100);
  });

  test("describes the tools with the limits for MCP", async () => {
    const { tools } = await (await connected()).listTools();
    const [read, , , bash] = tools.map(({ description }) => description);
    expect(read).toContain("A page ends at 40000 characters");
    expect(bash).toContain("(default 50, 1 to 50)");
    expect(bash).toContain("32 KB of stdout");
  });

  test("lets the tools take what they can coerce, and refuse the rest in their own words", async () => {
    const client = await connected();
    const coerced = await client.callTool({ name: "Read", arguments: { path: "notes.txt", limit: "1" } });
    expect(coerced).not.toHaveProperty("isError");
    expect(await client.callTool({ name: "Read", arguments: { file: 1 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Error INVALID_ARGUMENT: /) }],
    });
    await expect(client.callTool({ name: "Rm", arguments: {} })).rejects.toThrow("Rm");
  });

  test("refuses a command more time than a client has, and gives what was printed by then", async () => {
    const client = await connected({ limits: { bashTimeoutS: 1 } });
    const run = (args: object) => client.callTool({ name: "Bash", arguments: { ...args } });
    const refused = {
      isError: true,
      content: [{ text: expect.stringMatching(/^Error INVALID_ARGUMENT: .*"timeout".*50/s) }],
    };
    expect(await run({ command: "true", timeout: 600 })).toMatchObject(refused);
    const stopped = { isError: true, content: [{ text: expect.stringMatching(/^Error TIMEOUT: [\s\S]*\nbefore$/) }] };
    expect(await run({ command: `echo before; sleep 7${process.pid}.1` })).toMatchObject(stopped);
  });

  test("a result has 10 000 real tokens at most, and what is left out of it is a resource", async () => {
    const client = await connected();
    const { content } = await client.callTool({ name: "Bash", arguments: { command: "cat digests.txt" } });
    const [text] = z
      .tuple([z.object({ text: z.string() })])
      .parse(content)
      .map((part) => part.text);
    expect(text?.length).toBeLessThan(20_000);
    const [, path = ""] = /Full output saved to (\S+)/.exec(text ?? "") ?? [];
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ name: path.split("/").at(-1), size: 32_500 }]);
  });

  test.each(["spill:///none.log", "spill:///%zz"])("knows no resource %s", async (uri) => {
    const client = await connected();
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("not found"),
    });
  });

  test("adds what the host registers", async () => {
    const inputSchema = fromJsonSchema({ type: "object", properties: {} });
    const client = await connected({
      register: (server) => {
        server.registerTool("clock", { inputSchema }, () => ({ content: [{ type: "text", text: "12:00" }] }));
      },
    });
    expect(await client.callTool({ name: "clock" })).toMatchObject({ content: [{ text: "12:00" }] });
  });

  test("a call whose thread is killed fails, and the next one has a new thread", async () => {
    const workers = createWorkers({ threads: 1 });
    onTestFinished(() => workers.close());
    const end = (thread: Worker): void => void thread.terminate();
    process.on("worker", end);
    const client = await connected({ workers });
    const call = () => client.callTool({ name: "Read", arguments: { path: "notes.txt" } });
    const failed = await call().finally(() => process.off("worker", end));
    expect(failed).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Error WORKER_CRASHED: /) }],
    });
    expect(await call()).toMatchObject({ content: [{ text: expect.stringContaining("1:one") }] });
  });
});

describe("callTool", () => {
  /** A toolbox whose calls last until they are stopped. */
  const endless: Pick<Toolbox, "call"> = {
    call: (name, _args, { signal } = {}) =>
      new Promise((resolve) => {
        const error = { code: "ABORTED", message: "The call was aborted" };
        signal?.addEventListener("abort", () => resolve({ ok: false, tool: name, error } as ToolOutcome));
      }),
  };

  test.each(["Read", "Glob", "Grep"] as const)("stops a %s that lasts too long, and says so", async (name) => {
    const options = {
      toolbox: endless as Toolbox,
      structured: false,
      maxChars: 40_000,
      maxTokens: 10_000,
      copies: { save: async (outcome: ToolOutcome) => outcome },
      heartbeatMs: 1_000,
      timeoutMs: 20,
    };
    const context = { mcpReq: { signal: new AbortController().signal } } as Parameters<typeof callTool>[2];
    const text = `Error TIMEOUT: ${name} was stopped after 0.02 s: name a smaller folder or a narrower pattern`;
    expect(await callTool(name, {}, context, options)).toEqual({ content: [{ type: "text", text }], isError: true });
  });

  test("takes a byte for a token where nothing can be counted", async () => {
    const content = `[a.txt#0000]\n${Array.from({ length: 600 }, (_, row) => `${row + 1}:some words in a line`).join("\n")}`;
    const page = { path: "a.txt", tag: "0000", content, offset: 1, lineCount: 600, totalLines: 600, truncated: false };
    const broken = {
      call: async () => ({ ok: true, tool: "Read", result: page }),
      countTokens: () => Promise.reject(new Error("The thread has died")),
    };
    const options = {
      ...{ structured: false, maxChars: 40_000, maxTokens: 10_000, heartbeatMs: 1_000, timeoutMs: 60_000 },
      copies: { save: async (outcome: ToolOutcome) => outcome },
    };
    const context = { mcpReq: { signal: new AbortController().signal } } as Parameters<typeof callTool>[2];
    const result = await callTool("Read", {}, context, { toolbox: broken as unknown as Toolbox, ...options });
    const size = JSON.stringify(result).length;
    expect(size).toBeLessThan(10_500);
    expect(size).toBeGreaterThan(8_000);
  });
});
