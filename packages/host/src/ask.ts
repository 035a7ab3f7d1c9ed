import type { AgentEvent } from "./event.ts";
import {
  createGrants,
  describeScope,
  modeThatAllows,
  type PermissionAnswer,
  type PermissionHandler,
  type PermissionMode,
  type PermissionRequest,
  type PermissionSubject,
} from "./permission.ts";

/** How long a handler may take before its silence is a deny. */
export const PERMISSION_TIMEOUT_MS = 120_000;

export interface AskerOptions {
  readonly mode: PermissionMode;
  readonly onPermission?: PermissionHandler;
  /** Milliseconds; `Infinity` waits as long as the run. */
  readonly timeoutMs?: number;
}

export interface AskContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
}

/** Asks one question at a time and remembers what was allowed for the session. */
export interface Asker {
  readonly mode: PermissionMode;
  /** True only after a clear yes. Rejects with the signal's reason when the run is aborted meanwhile. */
  ask(subject: PermissionSubject, context: AskContext): Promise<boolean>;
}

export function createAsker(options: AskerOptions): Asker {
  const grants = createGrants();
  let last: Promise<unknown> = Promise.resolve();

  const askNow = async (subject: PermissionSubject, context: AskContext): Promise<boolean> => {
    context.signal.throwIfAborted();
    // Asked again here: the answer before this one may have covered it.
    if (grants.allows(subject)) return true;
    if (options.onPermission === undefined) {
      context.emit(deniedForLackOfAsker(subject, context.toolCallId));
      return false;
    }
    const request = { ...subject, toolCallId: context.toolCallId, scope: describeScope(subject) };
    context.emit({ type: "permission_request", ...request });
    const answer = await answerOf(options.onPermission, request, options.timeoutMs ?? PERMISSION_TIMEOUT_MS, context);
    if (answer === "session") grants.add(subject);
    return answer === "once" || answer === "session";
  };

  return {
    mode: options.mode,
    async ask(subject, context) {
      if (grants.allows(subject)) return true;
      const turn = last.then(() => askNow(subject, context));
      // A refused or aborted question must not stop those behind it.
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function answerOf(
  handler: PermissionHandler,
  request: PermissionRequest,
  timeoutMs: number,
  context: AskContext,
): Promise<PermissionAnswer> {
  const waiting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const ended = new Promise<PermissionAnswer>((resolve, reject) => {
    onAbort = () => reject(context.signal.reason);
    context.signal.addEventListener("abort", onAbort, { once: true });
    const expire = (): void => {
      context.emit(handlerWarning(request, `no answer within ${timeoutMs} ms`));
      resolve("deny");
    };
    if (Number.isFinite(timeoutMs)) timer = setTimeout(expire, timeoutMs);
  });
  const answered = Promise.resolve()
    .then(() => handler(request, { signal: waiting.signal }))
    .catch((error: unknown): PermissionAnswer => {
      if (!waiting.signal.aborted) context.emit(handlerWarning(request, String(error)));
      return "deny";
    });
  try {
    return await Promise.race([ended, answered]);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", onAbort);
    waiting.abort();
  }
}

function handlerWarning(request: PermissionRequest, why: string): AgentEvent {
  return {
    type: "warning",
    code: "PERMISSION_DENIED",
    message: `The permission handler failed for ${request.toolName}, which was denied: ${why}`,
  };
}

function deniedForLackOfAsker(subject: PermissionSubject, toolCallId: string): AgentEvent {
  const mode = modeThatAllows(subject.reason);
  const what = subject.path === undefined ? subject.toolName : `${subject.toolName} on "${subject.path}"`;
  const way = mode === undefined ? "run it on a terminal to be asked" : `run with --mode ${mode} to allow it`;
  return {
    type: "warning",
    code: "PERMISSION_DENIED",
    message: `Denied ${what}, nobody is there to ask: ${way}`,
    details: { toolCallId, reason: subject.reason, ...(mode === undefined ? {} : { mode }) },
  };
}
