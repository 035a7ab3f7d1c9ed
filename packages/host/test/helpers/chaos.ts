// A scripted session whose process is killed again and again: what it did must add up in the end.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Body, WireFormat, WireReply } from "./wire/format.ts";
import { startWireServer } from "./wire/server.ts";

export interface ChaosOptions {
  /** Node and its arguments up to the command's own. */
  readonly cli: readonly string[];
  readonly format: WireFormat;
  /** Flags and variables that lead the command to the server. */
  readonly connect: (url: string) => {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  readonly steps: number;
  readonly kills: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface ChaosReport {
  readonly kills: number;
  /** How often each step's command took effect, by step. */
  readonly effects: readonly number[];
  /** Checkpoints that were told of by all processes together. */
  readonly checkpoints: number;
  /** Requests that a strict provider would have refused. */
  readonly problems: readonly string[];
  /** Exit code and last words of the process that was left alone. */
  readonly code: number | null;
  readonly answer: string;
}

/** Small enough for a checkpoint every few steps. */
const SMALL_WINDOW = ["--context-window", "24000"];
const ANSWER = "All steps are behind us.";
/** Neither a process nor a session goes on for ever. */
const MAX_LIFE_MS = 60_000;

export async function chaosSession(options: ChaosOptions): Promise<ChaosReport> {
  const { steps, random } = options;
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-chaos-")));
  const root = join(base, "work");
  await mkdir(root);
  const server = await startWireServer(options.format, {
    script: (_answers, body) => replyTo(stepsTaken(body), steps),
    summary: (body) => `Step ${stepsTaken(body) - 1}: taken, as were those before it.`,
  });
  const { args, env } = options.connect(server.url);
  try {
    let kills = 0;
    let checkpoints = 0;
    for (;;) {
      const command = server.bodies.length === 0 ? ["run", "take the steps", "--session", "s"] : ["resume", "s"];
      const killAfter = kills < options.kills ? { lines: 1 + Math.floor(random() * 14), ms: random() * 40 } : undefined;
      const { code, stdout } = await live(
        [...options.cli, ...command, "--json", "--mode", "auto", ...SMALL_WINDOW, ...args],
        {
          cwd: root,
          env: { PATH: process.env.PATH ?? "", HOME: base, SPILLWAY_HOME: join(base, "data"), ...env },
          killAfter,
        },
      );
      checkpoints += stdout.split('{"type":"checkpoint"').length - 1;
      if (code === null && killAfter !== undefined) {
        kills += 1;
        continue;
      }
      const effects = await effectsIn(root, steps);
      return { kills, effects, checkpoints, problems: server.problems, code, answer: answerIn(stdout) };
    }
  } finally {
    await server.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const CHAOS_ANSWER: string = ANSWER;

/** Steps that the request tells of, in messages or in a summary. */
function stepsTaken(body: Body): number {
  const told = [...JSON.stringify(body).matchAll(/Step (\d+):/g)].map((match) => Number(match[1]) + 1);
  return Math.max(0, ...told);
}

function replyTo(step: number, steps: number): WireReply {
  if (step >= steps) return { text: ANSWER };
  return {
    text: `Step ${step}: three calls.`,
    calls: [
      { id: `bash${step}`, tool: "Bash", args: { command: `echo step-${step} >> log; seq 1 1500` } },
      { id: `read${step}`, tool: "Read", args: { path: "log" } },
      { id: `write${step}`, tool: "Write", args: { path: `file-${step}`, content: "x" } },
    ],
  };
}

interface Life {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly killAfter: { readonly lines: number; readonly ms: number } | undefined;
}

function live(
  line: readonly string[],
  { cwd, env, killAfter }: Life,
): Promise<{ code: number | null; stdout: string }> {
  const [command = "", ...args] = line;
  const child = spawn(command, args, {
    cwd,
    env: { ...env },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: MAX_LIFE_MS,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let timer: NodeJS.Timeout | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
    if (killAfter === undefined || timer !== undefined || stdout.split("\n").length <= killAfter.lines) return;
    timer = setTimeout(() => child.kill("SIGKILL"), killAfter.ms);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout });
    });
  });
}

async function effectsIn(root: string, steps: number): Promise<number[]> {
  const lines = (await readFile(join(root, "log"), "utf8").catch(() => "")).split("\n");
  return Array.from({ length: steps }, (_, step) => lines.filter((line) => line === `step-${step}`).length);
}

function answerIn(stdout: string): string {
  const last: unknown = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "null");
  return String(Reflect.get(Object(Reflect.get(Object(last), "result")), "text"));
}
