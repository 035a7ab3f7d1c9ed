// Kills a process that writes a journal, again and again, and looks at what it leaves. Bounded by rounds and time.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import { buildContext, entriesOf, openJournal } from "../../src/index.ts";
import { playSession, type SessionPlan } from "./planned-session.ts";

export interface KillOptions {
  readonly folder: string;
  readonly plan: SessionPlan;
  /** The most kills; the session is then played to its end. */
  readonly kills: number;
  readonly random: () => number;
}

export interface KillReport {
  readonly kills: number;
  /** How often a kill tore the last line. */
  readonly torn: number;
}

/** @throws Error that says what was lost, if a kill cost anything. */
export async function killRounds({ folder, plan, kills, random }: KillOptions): Promise<KillReport> {
  const whole = join(folder, "whole.jsonl");
  const file = join(folder, "killed.jsonl");
  await playInto(whole, plan);
  const expected = await readFile(whole);
  let killed = 0;
  let finished = false;
  while (!finished) {
    const { count, ended } = await playAndKill(file, plan, killed < kills ? random : undefined);
    finished = ended;
    if (!ended) killed += 1;
    const bytes = await readFile(file);
    const lines = bytes.toString("utf8").split("\n").length - 1;
    if (lines < count) throw new Error(`${count} facts were promised and ${lines} lines are there`);
    const good = bytes.lastIndexOf("\n") + 1;
    if (!bytes.subarray(0, good).equals(expected.subarray(0, good))) throw new Error("The whole lines differ");
  }
  if (!(await readFile(file)).equals(expected)) throw new Error("The journal differs from one without kills");
  const [context, killedContext] = [await contextOf(whole), await contextOf(file)];
  if (context !== killedContext) throw new Error("The context differs from one without kills");
  const left = (await readdir(dirname(file))).filter((name) => name.startsWith(`${basename(file)}.`));
  const torn = left.filter((name) => name.includes(".torn-"));
  if (torn.length < left.length) throw new Error(`Locks are left behind: ${left.join(", ")}`);
  return { kills: killed, torn: torn.length };
}

/** Plays the session to its end in this process. */
export async function playInto(file: string, plan: SessionPlan): Promise<void> {
  const journal = await openJournal(file);
  await playSession(journal, plan);
  await journal.close();
}

async function playAndKill(
  file: string,
  plan: SessionPlan,
  random: (() => number) | undefined,
): Promise<{ count: number; ended: boolean }> {
  const child = startFixture("play-session.ts", [file, String(plan.total), String(plan.maxChars)]);
  const closed = once(child, "close");
  const after = random === undefined ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 16);
  let heard = "";
  let told = 0;
  child.stdout.on("data", async (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    const before = told;
    told = heard.split("\n").length - 1;
    if (before >= after || told < after || random === undefined) return;
    if (random() < 0.5) await sleep(random() * 12);
    else waitForLargeWrite(file);
    child.kill("SIGKILL");
  });
  const hung = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const [code, signal] = await closed;
  clearTimeout(hung);
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`The writer ended with ${code ?? signal}`);
  if (random === undefined && code !== 0) throw new Error("The writer did not end by itself");
  const count = Number(heard.split("\n").at(-2) ?? 0);
  return { count, ended: code === 0 };
}

// Looks without a pause, for half a second at most: a large line is on its way to the file when it returns.
function waitForLargeWrite(file: string): void {
  const start = statSync(file).size;
  const deadline = performance.now() + 500;
  while (performance.now() < deadline && statSync(file).size < start + 200_000);
}

/** A process that runs a fixture from the sources. */
export function startFixture(name: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const script = join(import.meta.dirname, "../fixtures", name);
  return spawn(process.execPath, [...TYPESCRIPT_FLAGS, script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** What the next request of the session would see. */
export async function contextOf(file: string): Promise<string> {
  const journal = await openJournal(file);
  const context = buildContext(entriesOf(await journal.entries()), (await journal.checkpoints()).at(-1));
  await journal.close();
  return JSON.stringify(context);
}

/** A small generator (mulberry32), so that a failing seed can be played again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
