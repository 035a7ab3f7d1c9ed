import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { type AskContext, createAsker } from "../src/ask.ts";
import type { AgentEvent } from "../src/event.ts";
import type { PermissionAnswer, PermissionHandler, PermissionRequest } from "../src/permission.ts";

const EDIT = { toolName: "Write", args: { path: "a" }, reason: "edit" } as const;

function contextOf(signal: AbortSignal = new AbortController().signal): AskContext & { events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  return { toolCallId: "c1", signal, emit: (event) => events.push(event), events };
}

describe("createAsker", () => {
  test.each<[string, PermissionHandler | undefined]>([
    ["no handler", undefined],
    ["a handler that denies", () => "deny"],
    [
      "a handler that throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["a handler that rejects", () => Promise.reject(new Error("broken"))],
    ["an answer that is none of the three", () => "yes" as PermissionAnswer],
    ["no answer at all", () => undefined as unknown as PermissionAnswer],
    ["a true", () => true as unknown as PermissionAnswer],
  ])("%s is a deny", async (_title, onPermission) => {
    const asker = createAsker({ mode: "ask", ...(onPermission === undefined ? {} : { onPermission }) });
    expect(await asker.ask(EDIT, contextOf())).toBe(false);
  });

  test("without anybody to ask it says which flag allows the call", async () => {
    const context = contextOf();
    await createAsker({ mode: "ask" }).ask(EDIT, context);
    expect(context.events).toEqual([
      {
        type: "warning",
        code: "PERMISSION_DENIED",
        message: "Denied Write, nobody is there to ask: run with --mode accept-edits to allow it",
        details: { toolCallId: "c1", reason: "edit", mode: "accept-edits" },
      },
    ]);
  });

  test("a silent handler is a deny after its time, is told to stop, and leaves no listener", async () => {
    let told: AbortSignal | undefined;
    const controller = new AbortController();
    const asker = createAsker({
      mode: "ask",
      timeoutMs: 10,
      onPermission: (_request, { signal }) => {
        told = signal;
        return new Promise(() => undefined);
      },
    });
    expect(await asker.ask(EDIT, contextOf(controller.signal))).toBe(false);
    expect(told?.aborted).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("an abort while the question stands rejects with the reason", async () => {
    const controller = new AbortController();
    const asker = createAsker({ mode: "ask", onPermission: () => new Promise(() => undefined) });
    const asked = asker.ask(EDIT, contextOf(controller.signal));
    controller.abort(new Error("stop"));
    await expect(asked).rejects.toThrow("stop");
  });

  test("asks one question at a time, and a yes for the session answers those behind it", async () => {
    const requests: PermissionRequest[] = [];
    let answer: (answer: PermissionAnswer) => void = () => undefined;
    const asker = createAsker({
      mode: "ask",
      onPermission: (request) => {
        requests.push(request);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const all = [1, 2, 3].map(() => asker.ask(EDIT, contextOf()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(1);
    answer("session");
    expect(await Promise.all(all)).toEqual([true, true, true]);
    expect(requests).toEqual([
      { toolCallId: "c1", toolName: "Write", args: { path: "a" }, reason: "edit", scope: "every Write" },
    ]);
  });

  test("a yes once is asked again the next time", async () => {
    let asked = 0;
    const asker = createAsker({
      mode: "ask",
      onPermission: () => {
        asked += 1;
        return "once";
      },
    });
    await asker.ask(EDIT, contextOf());
    expect(await asker.ask(EDIT, contextOf())).toBe(true);
    expect(asked).toBe(2);
  });

  test("a refused question does not stop those behind it", async () => {
    const controller = new AbortController();
    controller.abort(new Error("stop"));
    const asker = createAsker({ mode: "ask", onPermission: () => "once" });
    const first = asker.ask(EDIT, contextOf(controller.signal));
    const second = asker.ask(EDIT, contextOf());
    await expect(first).rejects.toThrow("stop");
    expect(await second).toBe(true);
  });
});
