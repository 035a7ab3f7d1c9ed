import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgent } from "../agent.ts";
import { loadConfig } from "../config.ts";
import { demoModel } from "../demo/model.ts";
import { DEMO_LAST_PROMPT, demoPrompt } from "../demo/script.ts";
import { smallFolder } from "../demo/survey.ts";
import type { Agent } from "../open-agent.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { createDemoFacts, type DemoChecks, type DemoFacts, gather, tellFacts } from "./demo-facts.ts";
import { EXIT } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";
import { createPaint, type Paint } from "./style.ts";
import { createTextView, type View } from "./view.ts";

/** Tokens: more than the model takes, so that it has to refuse a request, as a real one does whose window was misjudged. */
const BELIEVED_WINDOW = 96_000;

/** The scripted walk over a folder: real loop, real tools, no key, no network. */
export async function demoCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const { stdout, environment } = context;
  const { config } = await loadConfig({}, environment);
  const root = resolve(parsed.words[0] ?? ".");
  const paint = createPaint(stdout.isTerminal, environment);
  await stdout.line(`${paint("bold", "spillway demo")}  ${root}`);
  await stdout.line(paint("dim", "demo model: scripted, no AI, no network; nothing is written into the folder\n"));
  return interruptible(stdout, async (signal) => {
    const facts = createDemoFacts();
    const options = { root, dataDir: config.dataDir, mode: "auto", contextWindow: BELIEVED_WINDOW } as const;
    const agent = await createAgent({ model: demoModel(), ...options });
    let done: boolean;
    try {
      const folder = await smallFolder(root);
      done = await walk(agent, folder, facts, createTextView(stdout, stdout, paint), signal);
    } finally {
      await agent.close();
    }
    if (signal.aborted) return EXIT.interrupted;
    const told = tellFacts(facts, await check(facts));
    await stdout.line(`\n${paint("bold", "What happened")}`);
    for (const { ok, text } of told) await stdout.line(`  ${mark(ok, paint)} ${text}`);
    await stdout.line(
      paint(
        "dim",
        `\nThe session is kept: spillway resume ${agent.sessionId} --model demo, or spillway clean ${agent.sessionId}`,
      ),
    );
    return done && told.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
  });
}

function mark(ok: boolean, paint: Paint): string {
  return ok ? paint("green", "✓") : paint("red", "✗");
}

/** Lets the model walk, stops it in its last command, and asks it about that. */
async function walk(
  agent: Agent,
  folder: string | undefined,
  facts: DemoFacts,
  view: View,
  signal: AbortSignal,
): Promise<boolean> {
  const stop = new AbortController();
  const run = agent.run(demoPrompt(folder), { signal: AbortSignal.any([signal, stop.signal]) });
  const endless = new Set<string>();
  for await (const event of run) {
    gather(facts, event);
    await view(event);
    if (event.type === "tool_call" && /sleep 600/.test(JSON.stringify(event.args))) endless.add(event.toolCallId);
    if (event.type === "tool_output" && endless.has(event.toolCallId)) stop.abort(new Error("The demo stops it here"));
  }
  const { reason } = await run.result;
  if (signal.aborted || (reason !== "aborted" && reason !== "stop")) return false;
  const last = agent.run(DEMO_LAST_PROMPT, { signal });
  for await (const event of last) {
    gather(facts, event);
    await view(event);
  }
  return (await last.result).reason === "stop";
}

async function check({ oversized, background }: DemoFacts): Promise<DemoChecks> {
  const spill = oversized?.spillPath === undefined ? undefined : await stat(oversized.spillPath).catch(() => undefined);
  const log = background === undefined ? "" : await readFile(background.logPath, "utf8").catch(() => "");
  const pid = Number(/as process (\d+)/.exec(log)?.[1]);
  return {
    ...(spill === undefined ? {} : { spillBytes: spill.size }),
    ...(Number.isInteger(pid) ? { serverEnded: await hasEnded(pid) } : {}),
  };
}

/** A process that was ended may take a moment to be gone. */
async function hasEnded(pid: number): Promise<boolean> {
  for (let look = 0; look < 20; look += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      // There is no such process, or the number belongs to somebody else by now.
      return true;
    }
    await sleep(50);
  }
  return false;
}
