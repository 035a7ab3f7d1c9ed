// Real clients of both official SDKs, over both transports, against the built command.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { CLI, type CliHome, createCliHome, type Started } from "../helpers/cli.ts";
import { CLIENT_KINDS, type ClientKind, connect, servingPid, type Target, type TestClient } from "../helpers/mcp.ts";
import { isRunning, until } from "../helpers/processes.ts";

interface Served {
  readonly home: CliHome;
  readonly client: TestClient;
  readonly kind: ClientKind;
}

function overStdio(home: CliHome): Target {
  const [command = "", ...start] = CLI;
  return { command, args: [...start, "mcp"], env: { ...home.env }, cwd: home.root };
}

async function listeningUrl(server: Started): Promise<string> {
  let printed = "";
  server.child.stderr.on("data", (chunk) => {
    printed += String(chunk);
  });
  await server.printed("/mcp\n");
  return /Listening on (\S+)/.exec(printed)?.[1] ?? "";
}

/** Seconds that no other process sleeps. */
let durations = 0;
function uniqueSeconds(): string {
  durations += 1;
  return `9${process.pid}.${durations}`;
}

// Finding the processes of a test needs /proc.
describe.skipIf(process.platform !== "linux").concurrent("spillway mcp", () => {
  test.each(CLIENT_KINDS)("serves a client of SDK %s over stdio: a session, a cancellation, a crash", async (kind) => {
    const home = await createCliHome({ "notes.txt": "one\ntwo\nthree\n" });
    const client = await connect(kind, overStdio(home));
    try {
      await session({ home, client, kind });
      await cancellation(client);
      await (await crash([client], servingPid(CLI[1], home.root))).heard;
    } finally {
      await client.close();
      await home.remove();
    }
  });

  test("serves clients of all SDKs at once over HTTP: live output, a cancellation, a crash", async () => {
    const home = await createCliHome();
    const server = home.start(["mcp", "--http", "0"], { input: "open" });
    const url = await listeningUrl(server);
    const clients = await Promise.all(CLIENT_KINDS.map((kind) => connect(kind, { url })));
    try {
      await Promise.all(
        clients.map(async (client, index) => {
          await liveOutput({ home, client, kind: CLIENT_KINDS[index] ?? "v1" });
          await cancellation(client);
        }),
      );
      const { heard } = await crash(clients, server.child.pid ?? 0);
      // Some clients wait for a new connection until their own time-out.
      await Promise.all(clients.map((client) => client.close()));
      await heard;
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      await home.remove();
    }
  });
});

/** Reads, edits, writes, finds, searches and runs a command; tags and saved output outlive a call. */
async function session({ home, client, kind }: Served): Promise<void> {
  expect((await client.tools()).map(({ name }) => name)).toEqual(["Read", "Glob", "Grep", "Bash", "Write", "Edit"]);
  if (kind === "v2 as 2026") expect(client.protocolVersion()).toBe("2026-07-28");

  const read = await client.call("Read", { path: "notes.txt" });
  expect(read).toMatchObject({ isError: false, structured: undefined });
  const [header = "", tag = ""] = /^\[notes\.txt#([0-9A-Fa-f]{4})\]/.exec(read.text) ?? [];
  expect(read.text).toBe(`${header}\n1:one\n2:two\n3:three`);

  const edit = await client.call("Edit", { path: "notes.txt", tag, ops: "PUT 2.=2:\n+TWO" });
  expect(edit.isError, edit.text).toBe(false);
  expect(await readFile(home.path("notes.txt"), "utf8")).toBe("one\nTWO\nthree\n");

  expect((await client.call("Write", { path: "more/new.txt", content: "TWO again\n" })).isError).toBe(false);
  expect((await client.call("Glob", { pattern: "**/*.txt" })).text).toContain("more/new.txt");
  expect((await client.call("Grep", { pattern: "TWO" })).text).toMatch(
    /2:TWO[\s\S]*1:TWO again|1:TWO again[\s\S]*2:TWO/,
  );

  await liveOutput({ home, client, kind });

  const long = await client.call("Bash", { command: "seq 1 30000" });
  expect(long.text.length).toBeLessThanOrEqual(40_000);
  const [, path = ""] = /Full output saved to (\S+)/.exec(long.text) ?? [];
  expect((await client.call("Read", { path, offset: 29_999 })).text).toContain("30000:30000");
  const [saved] = await client.resources();
  expect(saved).toMatchObject({ uri: `spill:///${path.split("/").at(-1)}`, size: 168_894 });
  const first = await client.resource(saved?.uri ?? "");
  const [, next = ""] = /; next: (\S+)\]$/.exec(first) ?? [];
  expect(first.startsWith("1\n2\n3\n")).toBe(true);
  expect((await client.resource(next)).length).toBeGreaterThan(1_000);
}

/** Output comes while the command runs, in order, and the result after all of it. */
async function liveOutput({ home, client, kind: name }: Served): Promise<void> {
  const messages: unknown[] = [];
  const said: number[] = [];
  // It goes on when the client has seen what it printed: a client may drop progress that comes together with the result.
  const seen = (step: number): string => `until [ -e "${name}-${step}" ]; do sleep 0.05; done`;
  const run = await client.call(
    "Bash",
    { command: `echo out; ${seen(1)}; echo err >&2; ${seen(2)}; cat; exit 3` },
    {
      onprogress: ({ progress, message = "" }) => {
        said.push(progress);
        const told = JSON.parse(message);
        // On a busy machine there may be a sign of life in between.
        if (told.text === undefined) return;
        messages.push(told);
        writeFileSync(home.path(`${name}-${messages.length}`), "");
      },
    },
  );
  expect(run.isError).toBe(true);
  expect(run.text).toMatch(/^Error TOOL_FAILED: [\s\S]*\nexit code 3, [\s\S]*\nout\n\[stderr\]\nerr$/);
  expect(messages).toEqual([
    { stream: "stdout", seq: 0, text: "out\n" },
    { stream: "stderr", seq: 1, text: "err\n" },
  ]);
  expect(said).toEqual(said.map((_, index) => index + 1));
}

/** A cancelled call ends its command with everything it started. */
async function cancellation(client: TestClient): Promise<void> {
  const seconds = uniqueSeconds();
  const controller = new AbortController();
  const call = client.call(
    "Bash",
    { command: `trap '' TERM; echo up; (sleep ${seconds} & wait) | cat` },
    { signal: controller.signal },
  );
  const failed = expect(call).rejects.toThrow("enough");
  await until(() => isRunning(seconds), "the command to run");
  controller.abort(new Error("enough"));
  await failed;
  await until(() => !isRunning(seconds), "the command to end");
  expect((await client.call("Bash", { command: "echo still here" })).text).toContain("still here");
}

/** A server that is killed takes its commands with it, and its clients hear of it. */
async function crash(clients: readonly TestClient[], pid: number): Promise<{ heard: Promise<unknown> }> {
  const seconds = clients.map(uniqueSeconds);
  const failed = clients.map((client, index) =>
    expect(client.call("Bash", { command: `echo up; sleep ${seconds[index]}` })).rejects.toThrow(),
  );
  await until(() => seconds.every(isRunning), "the commands to run");
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, "SIGKILL");
  await until(() => !seconds.some(isRunning), "the commands to end");
  return { heard: Promise.all(failed) };
}
