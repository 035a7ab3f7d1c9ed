// How long does the command take to start, next to a Node that does nothing?
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildCli } from "../test/helpers/built-cli.ts";
import { table, type Variant } from "./rounds.ts";

export async function benchStart(quick: boolean): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  try {
    const cli = await buildCli(folder);
    const empty = join(folder, "empty.mjs");
    await writeFile(empty, "");
    const importing = join(folder, "importing.mjs");
    await writeFile(importing, `import ${JSON.stringify(new URL("index.js", pathToFileURL(cli)).href)};`);
    const variant = (name: string, ...args: string[]): Variant => ({ name, run: () => runNode(args, folder) });
    const variants = [
      variant("an empty node", empty),
      variant('`import "@spillway/host"`', importing),
      variant("`spillway --help`", cli, "--help"),
      variant("`spillway tool Read`", cli, "tool", "Read", '{"path":"empty.mjs"}'),
      variant("`spillway tool Bash`", cli, "tool", "Bash", '{"command":"true"}'),
      { name: "`spillway mcp`, until it has answered and ended", run: () => greet([cli, "mcp"], folder) },
    ];
    return await table("cold start", variants, quick ? 2 : 15);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function greet(args: readonly string[], cwd: string): Promise<void> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const child = start(args, cwd, ["pipe", "pipe", "ignore"]);
  const ended = once(child, "close");
  child.stdin?.write(`${JSON.stringify(hello)}\n`);
  let answer = "";
  for await (const chunk of child.stdout ?? []) {
    answer += String(chunk);
    if (answer.includes("\n")) child.stdin?.end();
  }
  await ended;
  if (!answer.includes("serverInfo")) throw new Error(`spillway mcp answered "${answer}"`);
}

function start(args: readonly string[], cwd: string, stdio: StdioOptions): ChildProcess {
  const env = { ...process.env, SPILLWAY_HOME: join(cwd, "data"), NODE_OPTIONS: "" };
  return spawn(process.execPath, args, { cwd, env, stdio, timeout: 60_000 });
}

function runNode(args: readonly string[], cwd: string): Promise<void> {
  const child = start(args, cwd, "ignore");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(" ")} exited with ${code}`)),
    );
  });
}
