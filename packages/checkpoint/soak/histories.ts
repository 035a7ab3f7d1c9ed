// Do thousands of random histories stay paired, bounded, complete and the same after restarts?
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const RUNS = 2000;

export async function run(): Promise<void> {
  const root = resolve(import.meta.dirname, "../../..");
  const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, SPILLWAY_SOAK_RUNS: String(RUNS) };
  const args = [vitest, "run", "packages/checkpoint/test/session.test.ts", "--testTimeout=900000"];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit", timeout: 900_000 });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The histories ended with ${code}`);
}
