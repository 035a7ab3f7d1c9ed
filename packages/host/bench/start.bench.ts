// How long does the command take to start, next to a Node that does nothing?
import { spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCli } from "../test/helpers/built-cli.ts";
import { table, type Variant } from "./rounds.ts";

export async function benchStart(quick: boolean): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-bench-")));
  try {
    const cli = await buildCli(folder);
    const empty = join(folder, "empty.mjs");
    await writeFile(empty, "");
    const variant = (name: string, ...args: string[]): Variant => ({ name, run: () => runNode(args, folder) });
    const variants = [
      variant("an empty node", empty),
      variant("`spillway --help`", cli, "--help"),
      variant("`spillway tool Read`", cli, "tool", "Read", '{"path":"empty.mjs"}'),
      variant("`spillway tool Bash`", cli, "tool", "Bash", '{"command":"true"}'),
    ];
    return await table("cold start", variants, quick ? 2 : 15);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runNode(args: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, SPILLWAY_HOME: join(cwd, "data"), NODE_OPTIONS: "" };
  const child = spawn(process.execPath, args, { cwd, env, stdio: "ignore", timeout: 60_000 });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(" ")} exited with ${code}`)),
    );
  });
}
