import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { endProcesses } from "../src/kill.ts";
import { createHunt, type Hunt } from "../src/shell/hunt.ts";
import { readProcess } from "../src/shell/process-id.ts";
import { newTag, processesTagged, until } from "./helpers/processes.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A shell with a session of its own, once it has said that it is ready. */
async function start(command: string): Promise<{ hunt: Hunt; tag: string; child: ChildProcess }> {
  const tag = newTag();
  const child = spawn("bash", ["-c", command], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, TAG: tag, SPILLWAY_CALL: `mark-${tag}.` },
  });
  children.push(child);
  await once(child.stdout, "data");
  const leader = readProcess(child.pid ?? 0);
  if (leader === undefined) throw new Error("The shell is gone");
  return { hunt: createHunt({ marks: [`mark-${tag}.`], leader, pipes: new Set() }), tag, child };
}

describe.runIf(process.platform === "linux")("endProcesses", () => {
  test("ends a tree that goes when it is asked to, and counts it", async () => {
    const { hunt, tag } = await start("sleep $TAG & setsid sleep $TAG & echo ready; wait");
    await until(() => processesTagged(tag).length === 3, "three processes");
    expect(await endProcesses(hunt, { graceMs: 2_000 })).toEqual({ ended: 3, survivors: [], forced: false });
    expect(processesTagged(tag)).toEqual([]);
  });

  test("lets a process use its grace to the end", async () => {
    const { hunt, child } = await start("trap 'sleep 0.3; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    const exit = once(child, "exit");
    expect(await endProcesses(hunt, { graceMs: 5_000 })).toMatchObject({ survivors: [], forced: false });
    expect(await exit).toEqual([5, null]);
  });

  test("sends SIGTERM only once to each process", async () => {
    const { hunt, child } = await start(
      "n=0; trap 'n=$((n + 1))' TERM; echo ready; for i in 1 2 3 4 5 6; do sleep 0.1; done; exit $n",
    );
    const exit = once(child, "exit");
    await endProcesses(hunt, { graceMs: 5_000 });
    expect(await exit).toEqual([1, null]);
  });

  test("forces what ignores the request", async () => {
    const { hunt, tag } = await start("trap '' TERM; sleep $TAG & echo ready; sleep $TAG; sleep $TAG");
    await until(() => processesTagged(tag).length === 3, "three processes");
    expect(await endProcesses(hunt, { graceMs: 100 })).toEqual({ ended: 3, survivors: [], forced: true });
    expect(processesTagged(tag)).toEqual([]);
  });

  test("cuts the grace short when somebody is in a hurry", async () => {
    const { hunt } = await start("trap '' TERM; echo ready; sleep $TAG; sleep $TAG");
    const begin = performance.now();
    const report = await endProcesses(hunt, { graceMs: 20_000, hurry: AbortSignal.timeout(50) });
    expect(report).toMatchObject({ survivors: [], forced: true });
    expect(performance.now() - begin).toBeLessThan(19_000);
  });

  test("ends only what was chosen", async () => {
    const { hunt, tag } = await start("sleep $TAG & setsid sleep $TAG & echo ready; wait");
    await until(() => processesTagged(tag).length === 3, "three processes");
    await endProcesses(hunt, { graceMs: 1_000, only: (target) => target.place === "session" });
    expect(processesTagged(tag).map(({ command }) => command)).toEqual([`sleep ${tag}`]);
    await endProcesses(hunt, { graceMs: 1_000 });
    expect(processesTagged(tag)).toEqual([]);
  });

  test("leaves everybody else alone", async () => {
    const { hunt } = await start("sleep $TAG & echo ready; wait");
    const other = await start("sleep $TAG & echo ready; wait");
    await until(() => processesTagged(other.tag).length === 2, "two processes");
    await endProcesses(hunt, { graceMs: 1_000 });
    expect(processesTagged(other.tag).length).toBe(2);
    await endProcesses(other.hunt, { graceMs: 1_000 });
  });

  test("is content when there is nobody", async () => {
    const hunt = createHunt({ marks: ["mark-of-nobody."], pipes: new Set() });
    expect(await endProcesses(hunt, { graceMs: 1_000 })).toEqual({ ended: 0, survivors: [], forced: false });
  });
});
