// How fast are tokens counted, beside gpt-tokenizer itself, and does any text take out of all proportion?
import { readdirSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { loadCounter } from "../src/tokens/counter.ts";
import { createWorkers } from "../src/worker/pool.ts";

const CHINESE = "我们在开始工作之前,应该先读一读已有的文档,看看别人是怎么解决同样的问题的。";
const LOG = "2026-11-30T12:00:00.000Z INFO  request 0000012345 handled path=/api/v1/items status=200 duration=12ms\n";

/** Prints two markdown tables and what the first count of a pool takes. */
export async function run({ quick }: { quick: boolean }): Promise<void> {
  const megabyte = quick ? 100_000 : 1_000_000;
  const counter = await loadCounter();
  const ours = (text: string): number => counter.count(text);
  const theirs = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

  const ordinary = [
    { name: "code", text: sources(".ts", megabyte) },
    { name: "English", text: sources(".md", megabyte) },
    { name: "Chinese", text: CHINESE.repeat(Math.ceil(megabyte / 3 / CHINESE.length)) },
    { name: "a log", text: LOG.repeat(Math.ceil(megabyte / LOG.length)) },
    { name: "base64", text: scrambled(megabyte, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") },
  ];
  console.log(`Ordinary text of ${megabyte / 1e6} MB, CPU milliseconds, best of three:\n`);
  console.log(
    "| text | countTokens | gpt-tokenizer | times as fast | tokens | tokens over |\n| --- | ---: | ---: | ---: | ---: | ---: |",
  );
  let slowest = 0;
  for (const { name, text } of ordinary) {
    const [mine, library] = inTurns(
      () => ours(text),
      () => theirs(text),
    );
    const exact = theirs(text);
    slowest = Math.max(slowest, name === "base64" ? 0 : mine);
    const over = ((100 * (ours(text) - exact)) / exact).toFixed(3);
    console.log(
      `| ${name} | ${mine.toFixed(0)} | ${library.toFixed(0)} | ${(library / mine).toFixed(1)} | ${exact} | ${over} % |`,
    );
  }

  const runs = [
    { name: "one letter", text: "a".repeat(megabyte) },
    { name: "random letters", text: scrambled(megabyte, "qzxjkvbpwygfmucl") },
    { name: "blanks", text: " ".repeat(megabyte) },
    { name: "line feeds", text: "\n".repeat(megabyte) },
    { name: "equals signs", text: "=".repeat(megabyte) },
    { name: "random Chinese characters", text: scrambled(megabyte / 3, han()) },
    { name: "emoji", text: scrambled(megabyte / 2, "🎈🚀😀🎉👍") },
    { name: "punctuation", text: scrambled(megabyte, "!@#$%^&*()_-+=[]{}|;:,.<>?/~") },
  ];
  const short = quick ? 2000 : 10_000;
  console.log(
    `\nUnbroken runs of ${megabyte / 1e6} MB; the library gets ${short} characters only, since its time grows with their square:\n`,
  );
  console.log(
    `| run | countTokens, ms | times the slowest ordinary text | gpt-tokenizer, ${short} characters, ms |\n| --- | ---: | ---: | ---: |`,
  );
  for (const { name, text } of runs) {
    const [mine] = inTurns(
      () => ours(text),
      () => 0,
    );
    const library = cpuMs(() => theirs(text.slice(0, short)));
    console.log(`| ${name} | ${mine.toFixed(0)} | ${(mine / slowest).toFixed(1)} | ${library.toFixed(0)} |`);
  }
  await firstCount();
}

async function firstCount(): Promise<void> {
  const pool = createWorkers({ threads: 1 });
  try {
    const started = performance.now();
    await pool.run("countTokens", ["hello"]);
    const first = performance.now() - started;
    const again = performance.now();
    await pool.run("countTokens", ["hello"]);
    console.log(
      `\nFirst count of a new pool ${first.toFixed(0)} ms (thread and ranks loaded), the next ${(performance.now() - again).toFixed(1)} ms.`,
    );
  } finally {
    await pool.close();
  }
}

/** Best of three of each, taking turns; CPU time, since a busy machine stretches the clock. */
function inTurns(left: () => number, right: () => number): [number, number] {
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 3; round++)
    best.splice(0, 2, Math.min(best[0], cpuMs(left)), Math.min(best[1], cpuMs(right)));
  return best;
}

function cpuMs(act: () => number): number {
  const before = process.cpuUsage();
  if (Number.isNaN(act())) throw new Error("nothing was counted");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Files of this repository, as often as it takes. */
function sources(extension: string, length: number): string {
  const root = `${import.meta.dirname}/../../..`;
  const names = ["packages", "docs"].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const wanted = names.filter((name) => name.endsWith(extension) && !/node_modules|dist|CHANGELOG/.test(name));
  const text = wanted.map((name) => readFileSync(`${root}/${name}`, "utf8")).join("\n");
  return text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length);
}

function han(): string {
  return Array.from({ length: 3000 }, (_, index) => String.fromCharCode(0x4e00 + 5 * index)).join("");
}

/** Characters of the alphabet in an order without a pattern, the same in every run. */
function scrambled(length: number, alphabet: string): string {
  const characters = [...alphabet];
  let state = 12_345;
  let text = "";
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    text += characters[(state >> 8) % characters.length];
  }
  return text;
}
