import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, open, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { TYPESCRIPT_FLAGS } from "../../../scripts/typescript-flags.ts";
import { MAX_LINE_BYTES } from "../src/fact.ts";
import { type Fact, isCheckpointError, type Journal, openJournal } from "../src/index.ts";
import { temporaryFolder } from "./helpers/folder.ts";

async function journalFile(): Promise<string> {
  return join(await temporaryFolder(), "journal.jsonl");
}

async function opened(file: string): Promise<Journal> {
  const journal = await openJournal(file);
  onTestFinished(() => journal.close());
  return journal;
}

async function linesOf(file: string): Promise<unknown[]> {
  const text = await readFile(file, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; message: string; details: object }> {
  try {
    await promise;
  } catch (error) {
    if (isCheckpointError(error)) return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error("It did not fail");
}

const texts = (facts: readonly Fact[]) => facts.map(({ text }) => text);

describe("openJournal", () => {
  test("writes one JSON line a fact, envelope first", async () => {
    const file = await journalFile();
    const journal = await opened(file);
    const fact = await journal.append({ t: "user", text: "héllo\n汉 🟡", n: 1 });
    expect(fact).toEqual({
      v: 1,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ts: expect.any(String),
      t: "user",
      text: "héllo\n汉 🟡",
      n: 1,
    });
    expect(await readFile(file, "utf8")).toBe(`${JSON.stringify(fact)}\n`);
    expect(Object.keys(fact)).toEqual(["v", "id", "ts", "t", "text", "n"]);
    expect(new Date(fact.ts).toISOString()).toBe(fact.ts);
  });

  test("gives facts back as they will be read after a restart", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    const message = {
      role: "assistant",
      content: [
        { type: "file", data: Buffer.from("hi"), input: { content: [{ type: "custom" }] } },
        { type: "custom" },
      ],
      gone: undefined,
    };
    const fact = await journal.append({ t: "assistant", message });
    expect(fact.message).toEqual({
      role: "assistant",
      content: [{ type: "file", data: "aGk=", input: { content: [{ type: "custom" }] } }],
    });
    expect(await journal.entries()).toEqual([fact]);
    await journal.close();
    expect(await (await opened(file)).entries()).toEqual([fact]);
  });

  test("creates missing folders, for this user alone", async () => {
    const file = join(await temporaryFolder(), "a", "b", "journal.jsonl");
    await opened(file);
    if (process.platform !== "win32") {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
    }
  });

  test("keeps the order of appends that do not wait for each other", async () => {
    const file = await journalFile();
    const journal = await opened(file);
    await Promise.all(Array.from({ length: 600 }, (_, n) => journal.append({ t: "x", text: n })));
    expect(texts(await journal.entries())).toEqual(Array.from({ length: 600 }, (_, n) => n));
    expect(await linesOf(file)).toHaveLength(600);
  });

  test("reads from a named fact on", async () => {
    const journal = await opened(await journalFile());
    for (const text of ["a", "b", "c"]) await journal.append({ t: "x", id: `id-${text}`, text });
    expect(texts(await journal.entries({ from: "id-b" }))).toEqual(["b", "c"]);
    expect(texts(await journal.entries({ from: "nowhere" }))).toEqual(["a", "b", "c"]);
  });

  test("reads lines that are longer than its read block", async () => {
    const journal = await opened(await journalFile());
    const long = "汉字".repeat(300_000);
    for (const text of ["a", long, "b", long]) await journal.append({ t: "x", text });
    expect(texts(await journal.entries())).toEqual(["a", long, "b", long]);
  });

  test("lists the checkpoints whose entry stands before them", async () => {
    const journal = await opened(await journalFile());
    const { id: throughId } = await journal.append({ t: "user", text: "a" });
    const record = {
      generation: 1,
      mode: "completed_turn",
      family: "summary",
      summary: "s",
      tokensBefore: 9,
      tokensAfter: 1,
    };
    const good = await journal.append({ t: "checkpoint", throughId, ...record });
    await journal.append({ t: "checkpoint", throughId: "gone", ...record });
    await journal.append({ t: "checkpoint", throughId, ...record, generation: "two" });
    const { mode: _, ...old } = record;
    const oldFact = await journal.append({ t: "checkpoint", throughId, ...old });
    expect(await journal.checkpoints()).toEqual([
      { id: good.id, throughId, ...record },
      { id: oldFact.id, throughId, ...record, mode: "active_turn" },
    ]);
  });

  test("refuses a fact without a kind, one too large, and any after closing", async () => {
    const journal = await openJournal(await journalFile());
    await expect(journal.append({ t: "" })).rejects.toThrow('Invalid fact kind "": give t a name');
    await expect(journal.append({ t: "x", text: "a".repeat(MAX_LINE_BYTES) })).rejects.toThrow(
      /a line holds at most 67108864 — store large data in a file/,
    );
    await journal.close();
    await journal.close();
    expect(await errorOf(journal.append({ t: "x" }))).toMatchObject({ code: "JOURNAL_CLOSED" });
    expect(await errorOf(journal.entries())).toMatchObject({ code: "JOURNAL_CLOSED" });
  });

  test("finishes appends that were accepted before closing", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    const pending = Array.from({ length: 50 }, (_, text) => journal.append({ t: "x", text }));
    await journal.close();
    await Promise.all(pending);
    expect(await linesOf(file)).toHaveLength(50);
  });

  test("leaves no half line after a failed write, and goes on", async () => {
    const file = await journalFile();
    const journal = await opened(file);
    await journal.append({ t: "x", text: "before" });
    const probe = await open(file, "r");
    const prototype = Object.getPrototypeOf(probe);
    await probe.close();
    const { write } = prototype;
    prototype.write = async function failing(this: unknown, bytes: Buffer, _: number, __: number, position: number) {
      prototype.write = write;
      await write.call(this, bytes, 0, 5, position);
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };
    const failure = await errorOf(journal.append({ t: "x", text: "lost" }));
    expect(failure).toMatchObject({
      code: "JOURNAL_WRITE_FAILED",
      message: expect.stringMatching(/no space left on device — free space and append again$/),
    });
    await journal.append({ t: "x", text: "after" });
    expect(texts(await journal.entries())).toEqual(["before", "after"]);
    expect(await linesOf(file)).toHaveLength(2);
  });

  test.each([
    ["a directory", (path: string) => mkdir(path), /is not a regular file|Cannot open the journal/],
    [
      "a file of a newer version",
      (path: string) => writeFile(path, '{"v":2,"id":"a","ts":"b","t":"c"}\n'),
      /Line 1 .* newer version \(v 2\) — update/,
    ],
  ])("refuses %s and leaves no lock behind", async (_, make, message) => {
    const file = await journalFile();
    await make(file);
    expect(await errorOf(openJournal(file))).toMatchObject({
      code: "JOURNAL_UNREADABLE",
      message: expect.stringMatching(message),
    });
    expect(await readdir(join(file, ".."))).toEqual(["journal.jsonl"]);
  });
});

describe("recovery", () => {
  test("reports damage in the middle by line, costs only those records, and rewrites nothing", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    for (const text of ["a", "b", "c"]) await journal.append({ t: "x", text });
    await journal.close();
    const [first, second, third] = (await readFile(file, "utf8")).split("\n");
    const bytes = Buffer.concat([
      Buffer.from(`${first}\n{"v":1,"id":"torn\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(`${second}\n[1]\n\n{"v":1,"id":"x"}\n${third}\n`),
    ]);
    await writeFile(file, bytes);
    const again = await opened(file);
    expect(again.recovery).toEqual({
      damaged: [
        { line: 2, reason: "not JSON" },
        { line: 3, reason: "not UTF-8, or too long" },
        { line: 5, reason: "not a record" },
        { line: 7, reason: "no id, time or kind" },
      ],
      totalDamaged: 4,
    });
    expect(texts(await again.entries())).toEqual(["a", "b", "c"]);
    expect(await readFile(file)).toEqual(bytes);
  });

  test("bounds its report of a file that is no journal at all", async () => {
    const file = await journalFile();
    await writeFile(file, "nonsense\n".repeat(5000));
    const { recovery } = await opened(file);
    expect(recovery?.totalDamaged).toBe(5000);
    expect(recovery?.damaged).toHaveLength(100);
  });

  test("sets a torn tail of zero bytes aside, as a power failure leaves one", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    await journal.append({ t: "x", text: "a" });
    await journal.close();
    await appendFile(file, Buffer.alloc(700_000));
    const again = await opened(file);
    expect(again.recovery?.torn).toEqual({ line: 2, bytes: 700_000, savedTo: `${again.file}.torn-1` });
    expect((await stat(`${file}.torn-1`)).size).toBe(700_000);
    expect(await linesOf(file)).toHaveLength(1);
  });

  test.each([
    ["10 bytes before the end", (bytes: Buffer) => bytes.length - 10, 5],
    ["in the middle of a 3-byte character", (bytes: Buffer) => bytes.lastIndexOf(Buffer.from("汉")) + 1, 5],
    ["exactly before the final line feed", (bytes: Buffer) => bytes.length - 1, 6],
    ["after the opening brace of the last record", (bytes: Buffer) => bytes.lastIndexOf(Buffer.from('{"v":1')) + 1, 5],
    ["to nothing", () => 0, 0],
  ])("F43 a file cut %s keeps its whole records and takes new ones", async (_, cutAt, kept) => {
    const file = await journalFile();
    const journal = await openJournal(file);
    for (let n = 1; n <= 6; n++)
      await journal.append({ t: "user", message: { role: "user", content: `汉字 ${n} 汉` } });
    await journal.close();
    const whole = await readFile(file);
    const cut = cutAt(whole);
    await truncate(file, cut);
    const fragment = whole.subarray(whole.subarray(0, cut).lastIndexOf("\n") + 1, cut);

    const second = await openJournal(file);
    expect(await second.entries()).toHaveLength(kept);
    const isTorn = kept === 5;
    if (isTorn) {
      expect(second.recovery).toEqual({
        torn: { line: 6, bytes: fragment.length, savedTo: `${second.file}.torn-1` },
        damaged: [],
        totalDamaged: 0,
      });
      expect(await readFile(`${file}.torn-1`)).toEqual(fragment);
    } else expect(second.recovery).toBeUndefined();
    await second.append({ t: "user", message: { role: "user", content: "new" } });
    await second.close();

    const third = await opened(file);
    expect(third.recovery).toBeUndefined();
    expect(await third.entries()).toHaveLength(kept + 1);
    expect(await linesOf(file)).toHaveLength(kept + 1);
    expect(await readdir(join(file, ".."))).toHaveLength(isTorn ? 3 : 2);
  });
});

describe("lock", () => {
  test("refuses a second writer in the same process and frees the file on closing", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    expect(await errorOf(openJournal(file))).toMatchObject({
      code: "SESSION_LOCKED",
      message: `The journal "${journal.file}" is open in process ${process.pid} — close it there first`,
      details: { pid: process.pid },
    });
    await journal.close();
    await opened(file);
  });

  test("refuses a second writer that comes by another name of the file", async () => {
    const file = await journalFile();
    await opened(file);
    const link = join(await temporaryFolder(), "link.jsonl");
    await symlink(file, link);
    expect(await errorOf(openJournal(link))).toMatchObject({ code: "SESSION_LOCKED" });
  });

  test("refuses another living process, and takes over from a killed one", async () => {
    const file = await journalFile();
    const child = spawn(
      process.execPath,
      [...TYPESCRIPT_FLAGS, join(import.meta.dirname, "fixtures/hold-journal.ts"), file],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(await errorOf(openJournal(file))).toMatchObject({ code: "SESSION_LOCKED", details: { pid: child.pid } });
    child.kill("SIGKILL");
    await once(child, "exit");
    const journal = await opened(file);
    expect(texts(await journal.entries())).toEqual(["held"]);
    expect((await readdir(join(file, ".."))).filter((name) => name.includes(".lock."))).toHaveLength(1);
  });

  test.runIf(process.platform === "linux")(
    "takes over from a killed process that nobody has collected yet",
    async () => {
      const file = await journalFile();
      const hold = [process.execPath, ...TYPESCRIPT_FLAGS, join(import.meta.dirname, "fixtures/hold-journal.ts"), file];
      // The shell becomes a sleep, which never asks how its children ended.
      const script = 'exec 3<&0; "$@" <&3 & echo $!; exec sleep 60';
      const parent = spawn("bash", ["-c", script, "bash", ...hold], { stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void parent.kill("SIGKILL"));
      let told = "";
      for await (const chunk of parent.stdout) {
        told += chunk;
        if (told.includes("open")) break;
      }
      const pid = Number.parseInt(told, 10);
      process.kill(pid, "SIGKILL");
      const state = async () => (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.[0];
      await expect.poll(state).toBe("Z");
      await opened(file);
    },
  );

  test("takes over from a process whose number another one has now", async () => {
    const file = await journalFile();
    const journal = await openJournal(file);
    const [lock] = (await readdir(join(file, ".."))).filter((name) => name.includes(".lock."));
    await journal.close();
    const stale = lock?.replace(/-[0-9a-f]{12}-[0-9a-f]{8}$/, "-000000000000-00000000") ?? "";
    await writeFile(join(file, "..", stale), "");
    await opened(file);
    expect(await readdir(join(file, ".."))).not.toContain(stale);
  });

  test("does not judge a process of another machine, and says how to go on", async () => {
    const file = await journalFile();
    const foreign = `${file}.lock.4711-0123456789ab-0123456789ab-00000000`;
    await writeFile(foreign, "");
    expect(await errorOf(openJournal(file))).toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining(
        `is open in process 4711 of another machine — if that process is gone, delete "${foreign}"`,
      ),
    });
  });

  test("never lets two of many contenders in", async () => {
    const file = await journalFile();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openJournal(file)));
    const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const winner of winners) await winner.close();
    await opened(file);
  });
});
