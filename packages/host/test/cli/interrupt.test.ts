import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { isRunning, until } from "../helpers/processes.ts";
import { openaiChat } from "../helpers/wire/openai-chat.ts";
import { startWireServer, type WireServer } from "../helpers/wire/server.ts";

let home: CliHome;
let server: WireServer | undefined;
beforeEach(async () => {
  home = await createCliHome();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await home.remove();
});

/** A run whose first step is this command. */
async function running(command: string): Promise<string[]> {
  const calls = [{ id: "c", tool: "Bash", args: { command } }];
  server = await startWireServer(openaiChat, { script: (answers) => (answers === 0 ? { calls } : { text: "done" }) });
  return ["run", "go", "--json", "--session", "s", "--mode", "auto", "--base-url", server.url, "--model", "local"];
}

const seconds = `77.${process.pid}`;

describe.skipIf(process.platform === "win32")("signals", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s stops the run in order and exits with %i", async (signal, code) => {
    const started = home.start(await running(`echo up; sleep ${seconds}`));
    await started.printed('"text":"up\\n"');
    started.child.kill(signal);
    const finished = await started.finished;
    expect(finished.code).toBe(code);
    const events = finished.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({
      outcome: { error: { code: "ABORTED" } },
    });
    expect(events.at(-1)).toMatchObject({ type: "done", result: { reason: "aborted" } });
    expect(isRunning(seconds)).toBe(false);
    const resumed = await home.run(["resume", "s", "--base-url", server?.url ?? "", "--model", "local"]);
    expect(resumed).toMatchObject({ code: 0, stdout: "done\n" });
    expect(server?.problems).toEqual([]);
  });

  test("a second SIGINT leaves at once, and the command does not live on", async () => {
    const started = home.start(await running(`trap '' TERM INT; echo up; sleep ${seconds}; sleep ${seconds}`));
    await started.printed('"text":"up\\n"');
    started.child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 50));
    started.child.kill("SIGINT");
    expect((await started.finished).code).toBe(130);
    await until(() => !isRunning(seconds), "the command to be ended");
  });

  test("F42 (b) kill -9 leaves no command behind, and the session goes on without running it again", async () => {
    const started = home.start(await running(`echo up | tee -a log; sleep ${seconds}`));
    await started.printed('"text":"up\\n"');
    started.child.kill("SIGKILL");
    expect((await started.finished).signal).toBe("SIGKILL");
    await until(() => !isRunning(seconds), "the command to be ended");
    const resumed = await home.run(["resume", "s", "--base-url", server?.url ?? "", "--model", "local"]);
    expect(resumed).toMatchObject({ code: 0, stdout: "done\n" });
    expect(server?.problems).toEqual([]);
    const last = JSON.stringify(server?.bodies.at(-1));
    expect(last).toContain("This call was interrupted and did not finish; it may have taken effect");
    const log = await home.run(["tool", "Read", '{"path":"log"}']);
    expect(JSON.parse(log.stdout)).toMatchObject({ result: { totalLines: 1 } });
  });
});
