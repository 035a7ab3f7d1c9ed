// Runs the calls of one step. Whatever a call does, it ends in an outcome: a failure cannot escape in the middle of a batch.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import type { Risk, Toolbox } from "@spillway/tools";
import type { Asker } from "./ask.ts";
import { callEffect } from "./call-effect.ts";
import type { AgentEvent, CallOutcome } from "./event.ts";
import { type CallClass, GATE_LIMITS, type Gate } from "./gate.ts";
import {
  badJson,
  cutOff,
  interrupted,
  notAllowed,
  notRun,
  outcomeText,
  overloaded,
  toolFailed,
  unknownTool,
} from "./host-outcome.ts";
import { planOrder } from "./order.ts";
import { reasonToAsk } from "./permission.ts";
import type { RequestedCall } from "./step.ts";

/** One tool as the batch runs it. */
export interface RunnableTool {
  readonly name: string;
  riskOf(args: unknown): Risk;
  execute(
    args: unknown,
    options: { readonly signal: AbortSignal; readonly toolCallId: string; readonly onOutput: OnOutput },
  ): Promise<CallOutcome>;
}

type OnOutput = NonNullable<NonNullable<Parameters<Toolbox["call"]>[2]>["onOutput"]>;

export interface BatchContext {
  readonly sessionId: string;
  readonly root: string;
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly asker: Asker;
  readonly gate: Gate;
  readonly signal: AbortSignal;
  /** Named in the result of a call whose arguments were cut off. */
  readonly maxOutputTokens: number;
  readonly emit: (event: AgentEvent) => void;
  /** Durable before the call begins; only calls that may change something are announced. */
  readonly recordStart: (call: RequestedCall) => Promise<void>;
  /** Durable before anybody is told. */
  readonly recordResult: (call: RequestedCall, outcome: CallOutcome) => Promise<void>;
}

/** How long a tool may take to answer an abort before its answer is no longer waited for. Bash ends a process tree first. */
const ABORT_GRACE_MS = 1000;
const ABORT_GRACE_BASH_MS = 3000;

interface CallScope {
  readonly call: RequestedCall;
  readonly signal: AbortSignal;
}

const scopes = new AsyncLocalStorage<CallScope>();

/** The call on whose behalf the current code runs: the toolbox asks about outside paths without saying for which call. */
export function currentCall(): CallScope | undefined {
  return scopes.getStore();
}

/** The outcomes in call order. @throws only what `recordStart` or `recordResult` threw; the other calls are stopped first. */
export async function runBatch(calls: readonly RequestedCall[], context: BatchContext): Promise<CallOutcome[]> {
  const effects = await Promise.all(calls.map((call) => callEffect(call, riskOf(call, context), context.root)));
  const order = planOrder(effects);
  const stop = new AbortController();
  // One listener or two for each call that waits or runs, however many that are.
  setMaxListeners(0, stop.signal);
  const onAbort = (): void => stop.abort(context.signal.reason);
  context.signal.addEventListener("abort", onAbort, { once: true });
  if (context.signal.aborted) onAbort();
  const running: Promise<CallOutcome>[] = [];
  for (const [index, call] of calls.entries()) {
    const before = (order[index] ?? []).map((position) => running[position]);
    const scope = { call, signal: stop.signal };
    const outcome = scopes.run(scope, () => runCall(call, before, { ...context, signal: stop.signal }));
    outcome.catch((error: unknown) => stop.abort(error));
    running.push(outcome);
  }
  const settled = await Promise.allSettled(running);
  context.signal.removeEventListener("abort", onAbort);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

async function runCall(call: RequestedCall, before: readonly unknown[], context: BatchContext): Promise<CallOutcome> {
  const outcome = await outcomeOf(call, before, context);
  await context.recordResult(call, outcome.value);
  context.emit({
    type: "tool_result",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    outcome: outcome.value,
    chars: outcomeText(outcome.value).length,
    durationMs: outcome.durationMs,
  });
  return outcome.value;
}

interface TimedOutcome {
  readonly value: CallOutcome;
  readonly durationMs: number;
}

async function outcomeOf(
  call: RequestedCall,
  before: readonly unknown[],
  context: BatchContext,
): Promise<TimedOutcome> {
  const instant = (value: CallOutcome): TimedOutcome => ({ value, durationMs: 0 });
  const tool = context.tools.get(call.toolName);
  if (tool === undefined || call.problem === "unknown-tool") {
    return instant(unknownTool(call.toolName, [...context.tools.keys()]));
  }
  if (call.problem === "bad-json") return instant(badJson(call.toolName));
  if (call.problem === "cut-off") return instant(cutOff(call.toolName, context.maxOutputTokens));
  const risk = tool.riskOf(call.input);
  try {
    const reason = reasonToAsk(context.asker.mode, risk);
    const subject = { toolName: call.toolName, args: call.input };
    if (
      reason !== undefined &&
      !(await context.asker.ask({ ...subject, reason }, { ...context, toolCallId: call.toolCallId }))
    ) {
      return instant(notAllowed(call.toolName));
    }
    await Promise.allSettled(before);
    const release = await context.gate.acquire(context.sessionId, classOf(risk), context.signal);
    if (release === undefined) return instant(overloaded(call.toolName, GATE_LIMITS.queuePerSession));
    try {
      return await execute(call, tool, risk, context);
    } finally {
      release();
    }
  } catch (error) {
    if (!context.signal.aborted || error !== context.signal.reason) throw error;
    return instant(notRun(call.toolName));
  }
}

async function execute(
  call: RequestedCall,
  tool: RunnableTool,
  risk: Risk,
  context: BatchContext,
): Promise<TimedOutcome> {
  context.signal.throwIfAborted();
  if (risk !== "low") await context.recordStart(call);
  context.signal.throwIfAborted();
  const startedAt = performance.now();
  let listening = true;
  const onOutput: OnOutput = (chunk) => {
    if (listening) context.emit({ type: "tool_output", ...chunk });
  };
  const options = { signal: context.signal, toolCallId: call.toolCallId, onOutput };
  const answer = tool.execute(call.input, options).catch((error: unknown) => toolFailed(call.toolName, error));
  const value = await withinGrace(answer, call.toolName, context.signal);
  // A late answer and late output of a tool that ignored the abort reach nobody.
  listening = false;
  return { value, durationMs: performance.now() - startedAt };
}

async function withinGrace(answer: Promise<CallOutcome>, tool: string, signal: AbortSignal): Promise<CallOutcome> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const given = new Promise<CallOutcome>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(interrupted(tool)), tool === "Bash" ? ABORT_GRACE_BASH_MS : ABORT_GRACE_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([answer, given]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function riskOf(call: RequestedCall, context: BatchContext): Risk {
  const tool = context.tools.get(call.toolName);
  return tool === undefined || call.problem !== undefined ? "low" : tool.riskOf(call.input);
}

function classOf(risk: Risk): CallClass {
  if (risk === "low") return "read";
  return risk === "execute" ? "shell" : "mutation";
}
