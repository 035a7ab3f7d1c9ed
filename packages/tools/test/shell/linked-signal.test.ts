import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { linkSignals } from "../../src/shell/linked-signal.ts";

describe("linkSignals", () => {
  test("aborts with the reason of the first source that does", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(first.signal, second.signal);
    expect(signal.aborted).toBe(false);
    second.abort("reason");
    first.abort("late");
    expect(signal.reason).toBe("reason");
  });

  test("is aborted from the start when a source is", () => {
    expect(linkSignals(AbortSignal.abort("before")).signal.reason).toBe("before");
  });

  test("leaves nothing behind on its sources", () => {
    const source = new AbortController();
    const linked = linkSignals(source.signal);
    expect(getEventListeners(source.signal, "abort").length).toBe(1);
    linked.dispose();
    expect(getEventListeners(source.signal, "abort").length).toBe(0);
    source.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});
