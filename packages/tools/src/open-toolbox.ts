import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createBashTool } from "./bash.ts";
import { type AnyTool, callTool } from "./call.ts";
import { createSession, type ToolboxOptions } from "./create-session.ts";
import { describeTool, type ToolEntry } from "./definition.ts";
import { createEditTool } from "./edit.ts";
import { withheldVariables } from "./env-policy.ts";
import { errnoOf } from "./errno.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { nearestNames } from "./nearest.ts";
import type { ToolOutcome } from "./outcome.ts";
import { pathPolicy } from "./path-grants.ts";
import { createReadTool } from "./read.ts";
import { recoverDeadWrites } from "./recover-writes.ts";
import { fitOutcome } from "./render.ts";
import type { Session } from "./session.ts";
import type { DescriptionContext } from "./tool.ts";
import type { Toolbox } from "./toolbox.ts";
import { createWriteTool } from "./write.ts";

/** What `createToolbox` does, with everything that it needs loaded. */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const session = await createSession(options);
  warmUp(session);
  await recoverDeadWrites(session.workers);
  const context: DescriptionContext = {
    limits: session.limits,
    withheldVariables: withheldVariables(process.env, session.env),
  };
  const entries = createTools(context).map(describeTool);
  const calls = new Map<AbortController, Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closing !== undefined) throw new Error("The toolbox is closed: create another one");
  };

  return {
    tools: entries.map((entry) => entry.definition),
    scratchDir: session.scratchDir,
    call: async (name, args, { signal, toolCallId = randomUUID(), onOutput } = {}) => {
      assertOpen();
      const entry = entries.find(({ tool }) => tool.name === name);
      if (entry === undefined) throw unknownTool(name, entries);
      signal?.throwIfAborted();
      const controller = new AbortController();
      const abort = (): void => controller.abort(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const env = { session, signal: controller.signal, toolCallId, ...(onOutput !== undefined && { onOutput }) };
      const call = callTool(entry.tool, entry.properties, args, env);
      calls.set(controller, call);
      try {
        return capped(await call, session);
      } finally {
        calls.delete(controller);
        signal?.removeEventListener("abort", abort);
      }
    },
    countTokens: (texts, { signal } = {}) => {
      assertOpen();
      return session.workers.run("countTokens", texts, signal === undefined ? {} : { signal });
    },
    close: ({ remove = false } = {}) => {
      closing ??= close(session, calls, remove);
      return closing;
    },
  };
}

/** Starts a thread while the caller still thinks about its first call. */
function warmUp(session: Session): void {
  const request = { path: ".", policy: pathPolicy(session), access: "read" } as const;
  // A pool that cannot start fails the first real call, with the reason.
  session.workers.run("locate", request).catch(() => undefined);
}

async function close(session: Session, calls: Map<AbortController, Promise<unknown>>, remove: boolean): Promise<void> {
  for (const controller of calls.keys()) controller.abort(new Error("The toolbox was closed"));
  await Promise.allSettled(calls.values());
  await session.commands.close();
  await session.spill.close();
  if (remove) await removeScratch(session.scratchDir);
  await session.workers.close();
}

async function removeScratch(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    // A file stands where the folder would be: there is nothing of this session to remove.
    if (errnoOf(error) !== "ENOTDIR") throw error;
  }
}

function createTools(context: DescriptionContext): AnyTool[] {
  return [
    createReadTool(context),
    createGlobTool(context),
    createGrepTool(context),
    createBashTool(context),
    createWriteTool(context),
    createEditTool(context),
  ];
}

/** A result within the caps of the whole text that a host may have set. */
function capped(outcome: ToolOutcome, { limits }: Session): ToolOutcome {
  const maxChars = outcome.ok ? limits.resultMaxChars : (limits.errorMaxChars ?? limits.resultMaxChars);
  const maxTokens = limits.resultMaxTokens;
  if (maxChars === undefined && maxTokens === undefined) return outcome;
  return fitOutcome(outcome, {
    ...(maxChars !== undefined && { maxChars }),
    ...(maxTokens !== undefined && { maxTokens }),
  });
}

function unknownTool(name: string, entries: readonly ToolEntry[]): TypeError {
  const names = entries.map(({ tool }) => tool.name);
  const nearest = nearestNames(name, names, 1)[0];
  const next = nearest === undefined ? `use one of ${names.join(", ")}` : `did you mean "${nearest}"?`;
  return new TypeError(`There is no tool "${name}": ${next}`);
}
