// The official suites: every scenario of a server that applies, and the inspector's command line.
import { execFile } from "node:child_process";
import { cp, realpath, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type McpHttpServer, serveMcpHttp } from "../../src/mcp/http.ts";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";
import { registerFixtures } from "./conformance-fixtures.ts";

const run = promisify(execFile);

/** A file of a development dependency that exports none. */
function fileOf(name: string, file: string): string {
  return resolve(import.meta.dirname, "../../node_modules", name, file);
}

let home: CliHome;
beforeAll(async () => {
  home = await createCliHome({ "notes.txt": "one\n" });
});
afterAll(() => home.remove());

describe("@modelcontextprotocol/conformance", () => {
  let server: McpHttpServer;
  beforeAll(async () => {
    server = await serveMcpHttp({ root: home.root, dataDir: home.dataDir, port: 0, register: registerFixtures });
  });
  afterAll(() => server.close());

  test.concurrent("passes but for what the baseline names", async () => {
    const suite = fileOf("@modelcontextprotocol/conformance", "dist/index.js");
    const baseline = resolve(import.meta.dirname, "conformance-baseline.yml");
    const args = [suite, "server", "--url", server.url, "--expected-failures", baseline];
    const { stdout } = await run(process.execPath, args, { cwd: home.root, timeout: 100_000 });
    expect(stdout).toContain("Baseline check passed");
  });
});

describe("@modelcontextprotocol/inspector-cli", () => {
  let inspector: string;
  beforeAll(async () => {
    // As published it looks for a manifest two folders up, where its own repository has one.
    const folder = join(home.dataDir, "inspector");
    const installed = await realpath(fileOf("@modelcontextprotocol/inspector-cli", ""));
    await cp(join(installed, "build"), join(folder, "cli/build"), { recursive: true });
    await symlink(resolve(installed, "../.."), join(folder, "node_modules"), "dir");
    await cp(join(installed, "package.json"), join(folder, "package.json"));
    inspector = join(folder, "cli/build/cli.js");
  });

  const inspect = async (...args: string[]): Promise<unknown> => {
    const all = [inspector, "--cli", ...CLI, "mcp", ...args];
    const env = { ...process.env, ...home.env };
    const { stdout } = await run(process.execPath, all, { cwd: home.root, env, timeout: 60_000 });
    return JSON.parse(stdout);
  };

  test.concurrent("lists the tools and calls one", async () => {
    const [listed, called] = await Promise.all([
      inspect("--method", "tools/list"),
      inspect("--method", "tools/call", "--tool-name", "Read", "--tool-arg", "path=notes.txt"),
    ]);
    const names = ["Read", "Glob", "Grep", "Bash", "Write", "Edit"];
    expect(listed).toMatchObject({ tools: names.map((name) => ({ name })) });
    expect(called).toMatchObject({ content: [{ type: "text", text: expect.stringContaining("1:one") }] });
  });
});
