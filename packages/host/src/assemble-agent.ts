import { mkdir } from "node:fs/promises";
import { createToolbox, type Toolbox } from "@spillway/tools";
import type { LanguageModel } from "ai";
import type { AgentOptions } from "./agent.ts";
import { agentTools } from "./agent-tools.ts";
import { type Asker, createAsker } from "./ask.ts";
import { currentCall } from "./calls.ts";
import { checkOptions } from "./check-options.ts";
import { createContextMeter } from "./context-meter.ts";
import { dataFolder } from "./data-folder.ts";
import { HostError } from "./error.ts";
import type { AgentEvent } from "./event.ts";
import { processGate } from "./gate.ts";
import { type Agent, openAgent, type Running } from "./open-agent.ts";
import { pathNeedsYes } from "./permission.ts";
import { createReminders } from "./reminders.ts";
import type { RunParts } from "./run.ts";
import { openSession, type Session } from "./session.ts";
import { systemPrompt } from "./system-prompt.ts";
import { createTokenCache } from "./token-cache.ts";
import { createToolSet } from "./toolset.ts";
import { workspaceFolder } from "./workspace.ts";

const DEFAULT_CONTEXT_WINDOW = 128_000;
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;

/** What `createAgent` does, with everything that it needs loaded. */
export async function assembleAgent(options: AgentOptions): Promise<Agent> {
  checkOptions(options);
  // The SDK prints its first warning to stdout, which belongs to the embedding program.
  Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
  const dataDir = options.dataDir ?? dataFolder(process.env).path;
  await makeDataFolder(dataDir);
  const root = await workspaceFolder(options.root);
  const session = await openSession({ ...options, dataDir, root });
  const asker = createAsker({
    mode: options.mode ?? "ask",
    ...(options.onPermission === undefined ? {} : { onPermission: options.onPermission }),
    ...(options.permissionTimeoutMs === undefined ? {} : { timeoutMs: options.permissionTimeoutMs }),
  });
  const running: Running = {};
  const emit = (event: AgentEvent): void => running.current?.emit(event);
  let toolbox: Toolbox | undefined;
  try {
    toolbox = await createToolbox({
      root,
      dataDir,
      sessionId: session.id,
      externalPaths: (path) => mayUse(path, "outside", asker, emit),
      secrets: (path) => mayUse(path, "secret", asker, emit),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
    const parts = assembleParts({ ...options, root }, session, asker, toolbox);
    return openAgent(parts, toolbox, running);
  } catch (error) {
    await toolbox?.close();
    await session.close();
    throw error;
  }
}

async function makeDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HostError("CONFIG_INVALID", `Cannot make the data folder "${path}" (${why})`, {
      next: "set SPILLWAY_HOME to a folder that can be written",
      cause: error,
    });
  }
}

function assembleParts(options: AgentOptions, session: Session, asker: Asker, toolbox: Toolbox): RunParts {
  const plan = agentTools(toolbox, options.tools ?? []);
  const system = options.system ?? systemPrompt(options.root);
  const maxOutputTokens = options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const cache = createTokenCache((texts) => toolbox.countTokens(texts));
  const meter = createContextMeter({
    contextWindow: options.contextWindow ?? windowOf(options.model) ?? DEFAULT_CONTEXT_WINDOW,
    maxOutputTokens,
    fixedText:
      system +
      JSON.stringify(
        plan.schemas.map(({ name, description, inputJsonSchema }) => [name, description, inputJsonSchema]),
      ),
    cache,
  });
  return {
    request: { model: options.model, ...(options.stallMs === undefined ? {} : { stallMs: options.stallMs }) },
    system,
    toolSet: createToolSet(plan.schemas),
    tools: plan.runnable,
    root: options.root,
    session,
    meter,
    cache,
    reminders: createReminders(),
    asker,
    gate: processGate(),
    maxOutputTokens,
  };
}

function windowOf(model: LanguageModel): number | undefined {
  if (typeof model === "string" || !("contextWindow" in model)) return undefined;
  return typeof model.contextWindow === "number" ? model.contextWindow : undefined;
}

/** Asks about a path on behalf of the call that names it. */
async function mayUse(
  path: string,
  reason: "outside" | "secret",
  asker: Asker,
  emit: (event: AgentEvent) => void,
): Promise<boolean> {
  if (!pathNeedsYes(asker.mode, reason)) return true;
  const scope = currentCall();
  if (scope === undefined) return false;
  const { call, signal } = scope;
  const subject = { toolName: call.toolName, args: call.input, reason, path };
  // An abort while the question stands is a no; the call itself notices the abort.
  return asker.ask(subject, { toolCallId: call.toolCallId, signal, emit }).catch(() => false);
}
