import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { TYPESCRIPT_FLAGS } from "../../../../scripts/typescript-flags.ts";
import type { RunOptions, Workers } from "../../src/worker/jobs.ts";
import { createWorkers, shareWorkers } from "../../src/worker/pool.ts";

const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).href;
const opened: Workers[] = [];

function pool(entry = "jobs-entry.mjs"): Workers {
  const workers = createWorkers({ threads: 2, entry: fixture(entry) });
  opened.push(workers);
  return workers;
}

// The fixture's jobs take their behaviour's name where the real job takes a request.
function run(workers: Workers, behaviour: string, options?: RunOptions): Promise<unknown> {
  return workers.run("locate", behaviour as never, options);
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((workers) => workers.close()));
});

describe("createWorkers", () => {
  test.each([0, -1, 1.5, Number.NaN])("refuses %d threads", (threads) => {
    expect(() => createWorkers({ threads })).toThrow(`Invalid threads ${threads}: give a whole number, 1 or more`);
  });

  test("gives what the job returned", async () => {
    expect(await run(pool(), "echo")).toBe("echo");
  });

  test("turns a tool error of a job back into one", async () => {
    await expect(run(pool(), "tool-error")).rejects.toMatchObject({
      name: "ToolError",
      code: "PATH_NOT_FOUND",
      message: '"x" does not exist: look with Glob',
      next: "look with Glob",
      details: { path: "x" },
    });
  });

  test.each(["exit", "crash"])(
    "reports a thread that ends by %s as an error of that call and heals",
    async (behaviour) => {
      const workers = pool();
      await expect(run(workers, behaviour)).rejects.toMatchObject({
        code: "WORKER_CRASHED",
        details: { reason: "crash" },
      });
      expect(await run(workers, "echo")).toBe("echo");
    },
  );

  test("keeps other calls alive when one thread crashes", async () => {
    const workers = pool();
    const abort = new AbortController();
    const other = run(workers, "finish-anyway", { signal: abort.signal, onAbort: "wait" });
    await expect(run(workers, "exit")).rejects.toMatchObject({ code: "WORKER_CRASHED" });
    abort.abort();
    expect(await other).toBe("finished");
  });

  test("runs the calls that wait when the threads before them are ended", async () => {
    const workers = pool();
    const stuck = Array.from({ length: 6 }, () => new AbortController());
    const ended = Promise.allSettled(stuck.map(({ signal }) => run(workers, "spin", { signal })));
    const waiting = [1, 2, 3].map(() => run(workers, "echo"));
    for (const controller of stuck) controller.abort(new Error("enough"));
    expect(await Promise.all(waiting)).toEqual(["echo", "echo", "echo"]);
    expect((await ended).map(({ status }) => status)).toEqual(stuck.map(() => "rejected"));
  }, 30_000);

  test("runs the calls that wait when threads are ended before they have started", async () => {
    const workers = pool();
    const ended: Promise<unknown>[] = [];
    const end = (thread: Worker): void => {
      if (ended.length < 4) ended.push(thread.terminate());
    };
    process.on("worker", end);
    try {
      expect(await Promise.all([1, 2, 3].map(() => run(workers, "echo")))).toEqual(["echo", "echo", "echo"]);
    } finally {
      process.off("worker", end);
    }
    expect(ended).toHaveLength(4);
  }, 30_000);

  test("fails the calls that wait when no thread ever comes to its start", async () => {
    const workers = pool();
    const end = (thread: Worker): void => void thread.terminate();
    process.on("worker", end);
    try {
      await expect(run(workers, "echo")).rejects.toMatchObject({ code: "WORKER_CRASHED" });
    } finally {
      process.off("worker", end);
    }
    expect(await run(workers, "echo")).toBe("echo");
  }, 30_000);

  test("fails calls whose thread cannot load, and the next ones as well, instead of leaving them pending", async () => {
    const workers = pool("broken-entry.mjs");
    for (let round = 0; round < 2; round++) {
      await expect(run(workers, "echo")).rejects.toMatchObject({
        code: "WORKER_CRASHED",
        message: expect.stringContaining("there-is-no-such-file.mjs"),
      });
    }
  });

  test("ends a cooperative job through the flag and keeps its thread", async () => {
    const workers = pool();
    const abort = new AbortController();
    const running = run(workers, "cooperate", { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await expect(running).rejects.toThrow("enough");
    expect(await run(workers, "echo")).toBe("echo");
  });

  test("ends the thread of a job that ignores the flag", async () => {
    const workers = pool();
    const abort = new AbortController();
    const running = run(workers, "spin", { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await expect(running).rejects.toThrow("enough");
    expect(await run(workers, "echo")).toBe("echo");
  });

  test("lets a job that must not be cut off finish after an abort", async () => {
    const abort = new AbortController();
    const running = run(pool(), "finish-anyway", { signal: abort.signal, onAbort: "wait" });
    setTimeout(() => abort.abort(new Error("enough")), 50);
    expect(await running).toBe("finished");
  });

  test("ends the thread at the deadline", async () => {
    await expect(run(pool(), "spin", { deadlineMs: 100 })).rejects.toMatchObject({
      code: "WORKER_CRASHED",
      details: { reason: "deadline" },
    });
  });

  test("refuses a call whose signal was aborted before", async () => {
    await expect(run(pool(), "echo", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
  });

  test("takes short jobs while every long slot is held", async () => {
    const workers = pool();
    const abort = new AbortController();
    const stuck = [1, 2, 3].map(() =>
      run(workers, "spin", { lane: "long", signal: abort.signal }).catch(() => "ended"),
    );
    expect(await run(workers, "echo")).toBe("echo");
    abort.abort();
    expect(await Promise.all(stuck)).toEqual(["ended", "ended", "ended"]);
  });

  test("survives aborts that race with the answer", async () => {
    const workers = pool();
    const rounds = Array.from({ length: 60 }, async (_, round) => {
      const abort = new AbortController();
      const running = run(workers, "echo", { signal: abort.signal });
      await delay(round % 4);
      abort.abort(new Error("enough"));
      return running.catch((error: Error) => error.message);
    });
    for (const outcome of await Promise.all(rounds)) expect(["echo", "enough"]).toContain(outcome);
    expect(await run(workers, "echo")).toBe("echo");
  });

  test("can be closed at any moment while its threads still load", async () => {
    for (let round = 0; round < 12; round++) {
      const workers = createWorkers({ threads: 2 });
      const calls = [1, 2, 3].map(() => workers.run("countTokens", ["a"]).catch(() => "ended"));
      await delay(round * 25);
      await workers.close();
      for (const outcome of await Promise.all(calls)) expect([["ended"], "ended", [1]]).toContainEqual(outcome);
    }
  });

  test("leaves no listener on the caller's signal", async () => {
    const abort = new AbortController();
    await run(pool(), "echo", { signal: abort.signal, lane: "long" });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });

  test("runs in a process whose flags threads cannot inherit, and does not keep it alive when idle", async () => {
    const source = `import { shareWorkers } from ${JSON.stringify(new URL("../../src/worker/pool.ts", import.meta.url).href)};
      const workers = shareWorkers();
      console.log(await workers.run("countTokens", ["hello world"]));`;
    const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, "--input-type=module", "-e", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    const [code] = await once(child, "close");
    expect([code, printed.trim()]).toEqual([0, "[ 2 ]"]);
  });
});

describe("shareWorkers", () => {
  test("closes the pool with its last user", async () => {
    const first = shareWorkers();
    const second = shareWorkers();
    await first.close();
    await first.close();
    expect(await second.run("countTokens", ["one two"])).toEqual([2]);
    await second.close();
    await expect(second.run("countTokens", ["one two"])).rejects.toThrow("closed");
  });
});
