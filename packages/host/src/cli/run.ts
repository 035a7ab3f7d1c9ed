import { createAgent } from "../agent.ts";
import { type Config, loadConfig } from "../config.ts";
import { HostError } from "../error.ts";
import { resolveModel } from "../models.ts";
import type { Agent } from "../open-agent.ts";
import type { AgentRun } from "../run.ts";
import { findSession } from "../sessions.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { settingFlags } from "./config.ts";
import { EXIT } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";
import { terminalPrompt } from "./prompt.ts";
import { readStandardInput } from "./standard-input.ts";
import { createPaint } from "./style.ts";
import { createJsonView, createTextView } from "./view.ts";

export async function runCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const { config } = await loadConfig(settingFlags(parsed), context.environment);
  const [word = ""] = parsed.words;
  const prompt = word === "-" ? await readStandardInput() : word;
  if (prompt.trim() === "") throw new HostError("CONFIG_INVALID", "The task is empty", { next: 'spillway run "task"' });
  const { session } = parsed.flags;
  return drive(parsed, context, config, typeof session === "string" ? session : undefined, (agent, signal) =>
    agent.run(prompt, { signal }),
  );
}

export async function resumeCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const { config } = await loadConfig(settingFlags(parsed), context.environment);
  const [id, prompt] = parsed.words;
  const found = await findSession(config.dataDir, id);
  // The session's own folder, unless another one was asked for.
  const root = parsed.flags.root === undefined ? (found.root ?? config.root) : config.root;
  return drive(parsed, context, { ...config, root }, found.id, (agent, signal) =>
    prompt === undefined ? agent.resume({ signal }) : agent.run(prompt, { signal }),
  );
}

async function drive(
  parsed: ParsedArguments,
  context: CommandContext,
  config: Config,
  sessionId: string | undefined,
  start: (agent: Agent, signal: AbortSignal) => AgentRun,
): Promise<number> {
  const { stdout, stderr, environment } = context;
  const isJson = parsed.flags.json === true;
  const paint = createPaint(stderr.isTerminal, environment);
  const { model, contextWindow, notice } = await resolveModel(config, environment);
  const canAsk = process.stdin.isTTY === true && stderr.isTerminal;
  const agent = await createAgent({
    model,
    contextWindow,
    root: config.root,
    dataDir: config.dataDir,
    mode: config.mode,
    permissionTimeoutMs: Number.POSITIVE_INFINITY,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(config.limits === undefined ? {} : { limits: config.limits }),
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
    ...(canAsk ? { onPermission: terminalPrompt(stderr, paint) } : {}),
  });
  try {
    if (isJson) await stdout.line(JSON.stringify({ type: "session", sessionId: agent.sessionId, root: config.root }));
    const view = isJson ? createJsonView(stdout) : createTextView(stdout, stderr, paint);
    if (notice !== undefined) await view({ type: "warning", code: "CONTEXT_WINDOW", message: notice });
    return await interruptible(stdout, async (signal) => {
      const run = start(agent, signal);
      for await (const event of run) await view(event);
      const { reason, steps } = await run.result;
      if (reason === "stop" && steps === 0) {
        await stderr.line(`Nothing to continue: spillway resume ${agent.sessionId} "prompt"`);
      } else if (!isJson)
        await stderr.line(paint("dim", `session ${agent.sessionId} · ${resumeHint(agent.sessionId, parsed)}`));
      return reason === "stop" ? EXIT.done : EXIT.failed;
    });
  } finally {
    await agent.close();
  }
}

/** What goes on with the session in another shell: flags are in nobody's memory. */
function resumeHint(sessionId: string, { flags }: ParsedArguments): string {
  const words = ["model", "base-url"].flatMap((name) => {
    const value = flags[name];
    return typeof value === "string" ? [`--${name}`, value] : [];
  });
  return ["spillway resume", sessionId, ...words].join(" ");
}
