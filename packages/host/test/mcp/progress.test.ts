import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgress, type ProgressMessage } from "../../src/mcp/progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const chunk = { toolCallId: "c", stream: "stderr", streamSeq: 0, seq: 4, text: "é\n" } as const;

function recorder(notify: () => Promise<void> = async () => undefined) {
  const sent: ProgressMessage["params"][] = [];
  const progress = createProgress({
    token: "t",
    heartbeatMs: 1_000,
    notify: ({ params }) => {
      sent.push(params);
      return notify();
    },
  });
  return { sent, progress };
}

describe("createProgress", () => {
  test("sends output as it is, and a sign of life for each quiet second", async () => {
    const { sent, progress } = recorder();
    progress.output(chunk);
    vi.advanceTimersByTime(999);
    progress.output({ ...chunk, seq: 5, omittedBytes: 7 });
    vi.advanceTimersByTime(2_000);
    await progress.close();
    expect(sent.map(({ progress: count, progressToken }) => [count, progressToken])).toEqual(
      [1, 2, 3, 4].map((count) => [count, "t"]),
    );
    expect(sent.map(({ message }) => JSON.parse(message))).toEqual([
      { stream: "stderr", seq: 4, text: "é\n" },
      { stream: "stderr", seq: 5, text: "é\n", omittedBytes: 7 },
      { elapsedMs: 1_999 },
      { elapsedMs: 2_999 },
    ]);
  });

  test("sends nothing after it was closed, and is closed once everything is handed over", async () => {
    let hand = (): void => undefined;
    const { sent, progress } = recorder(
      () =>
        new Promise((resolve) => {
          hand = resolve;
        }),
    );
    progress.output(chunk);
    let isClosed = false;
    const closed = progress.close().then(() => {
      isClosed = true;
    });
    progress.output(chunk);
    vi.advanceTimersByTime(10_000);
    await Promise.resolve();
    expect(isClosed).toBe(false);
    hand();
    await closed;
    expect(sent).toHaveLength(1);
  });

  test("goes on when the client is gone", async () => {
    const { progress } = recorder(() => Promise.reject(new Error("closed")));
    progress.output(chunk);
    await expect(progress.close()).resolves.toBeUndefined();
  });
});
