import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openJournal } from "../src/index.ts";
import { temporaryFolder } from "./helpers/folder.ts";
import { contextOf, killRounds, playInto, seeded, startFixture } from "./helpers/kill-rounds.ts";

test("a session killed at any point has the same journal and the same context as one that was not", async () => {
  const folder = await temporaryFolder();
  const seed = Math.floor(Math.random() * 1e9);
  const report = await killRounds({
    folder,
    plan: { total: 48, maxChars: 600_000 },
    kills: 3,
    random: seeded(seed),
  }).catch((cause: unknown) => {
    throw new Error(`Seed ${seed}`, { cause });
  });
  expect(report.kills).toBeGreaterThan(0);
}, 60_000);

test("a session goes on to the same journal and context from any byte that a kill may have left", async () => {
  const folder = await temporaryFolder();
  const whole = join(folder, "whole.jsonl");
  const plan = { total: 26, maxChars: 400 };
  await playInto(whole, plan);
  const bytes = await readFile(whole);
  const context = await contextOf(whole);
  const ends = Array.from({ length: 30 }, (_, n) => Math.floor((bytes.length * n) / 30) + (n % 7));
  for (const end of [...ends, bytes.length - 1, bytes.length]) {
    const file = join(folder, `cut-${end}.jsonl`);
    await writeFile(file, bytes.subarray(0, end));
    await playInto(file, plan);
    expect((await readFile(file)).equals(bytes), `cut at ${end}`).toBe(true);
    expect(await contextOf(file), `cut at ${end}`).toBe(context);
  }
});

test("processes that take turns never write at the same time", async () => {
  const file = join(await temporaryFolder(), "journal.jsonl");
  const children = Array.from({ length: 3 }, () => startFixture("take-turns.ts", [file, "6"]));
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const codes = await Promise.all(children.map(async (child) => (await once(child, "close"))[0]));
  expect(codes).toEqual([0, 0, 0]);
  const journal = await openJournal(file);
  onTestFinished(() => journal.close());
  const facts = await journal.entries();
  expect(facts.map(({ n }) => n)).toEqual(Array.from({ length: 36 }, (_, n) => n));
  expect(new Set(facts.map(({ by }) => by)).size).toBe(3);
}, 60_000);
