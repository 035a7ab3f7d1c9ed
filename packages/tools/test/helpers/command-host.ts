import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import type { BashResult } from "../../src/bash.ts";
import { createWorkspace } from "./workspace.ts";

export interface HostReport {
  readonly outcomes: readonly {
    readonly ok: boolean;
    readonly result: BashResult;
    readonly error?: { readonly code: string };
    readonly elapsedMs: number;
  }[];
  readonly maxLagMs: number;
  readonly peakBytes: number;
  readonly chunkCount: number;
  readonly chunkChars: number;
  readonly stdin: string;
}

export interface HostOptions {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
}

const FIXTURE = fileURLToPath(new URL("../fixtures/command-host.ts", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** Runs Bash calls in a host process of their own. */
export async function runInHost(calls: readonly object[], options: HostOptions = {}): Promise<HostReport> {
  const { flags = [], env = process.env, stdin = "" } = options;
  const workspace = await createWorkspace();
  const args = [...flags, ...TYPESCRIPT_FLAGS, FIXTURE];
  const host = spawn(process.execPath, [...args, workspace.root, workspace.dataDir, JSON.stringify(calls)], {
    cwd: PACKAGE,
    stdio: ["pipe", "pipe", "inherit"],
    env,
  });
  host.stdin.end(stdin);
  const output = await text(host.stdout);
  await workspace.remove();
  return JSON.parse(output);
}
