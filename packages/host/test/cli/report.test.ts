// `spillway report` as a process, over made-up homes of every agent.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AGENTS, type AgentName } from "../../src/report/fact.ts";
import { claudeFolder, geminiHash, kimiSuffix, piFolder } from "../../src/report/homes.ts";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { CWD, countScript, makeScript, SECRET, SESSION_ID } from "../helpers/transcripts/script.ts";
import { transcriptLines } from "../helpers/transcripts/write.ts";

let home: CliHome;
let env: Record<string, string>;
beforeEach(async () => {
  home = await createCliHome({});
  const homes = join(home.dataDir, "homes");
  env = {
    CLAUDE_CONFIG_DIR: join(homes, "claude"),
    CODEX_HOME: join(homes, "codex"),
    PI_CODING_AGENT_DIR: join(homes, "pi"),
    KIMI_CODE_HOME: join(homes, "kimi"),
    GEMINI_CLI_HOME: join(homes, "gemini"),
  };
});
afterEach(() => home.remove());

const events = makeScript();
const wanted = countScript(events);

function placeOf(agent: AgentName): string {
  const { root, dataDir } = home;
  const at = (variable: string, ...names: string[]): string => join(env[variable] ?? "", ...names);
  switch (agent) {
    case "spillway":
      return join(dataDir, "sessions", "ours", "journal.jsonl");
    case "claude-code":
      return at("CLAUDE_CONFIG_DIR", "projects", claudeFolder(root), `${SESSION_ID}.jsonl`);
    case "codex":
      return at("CODEX_HOME", "sessions", "2026", "03", "01", `rollout-2026-03-01T10-00-00-${SESSION_ID}.jsonl`);
    case "pi":
      return at("PI_CODING_AGENT_DIR", "sessions", piFolder(root), "2026_pi-session.jsonl");
    case "kimi-code":
      return at(
        "KIMI_CODE_HOME",
        "sessions",
        `wd_x${kimiSuffix(root)}`,
        "session_kimi",
        "agents",
        "main",
        "wire.jsonl",
      );
    case "gemini-cli":
      return at("GEMINI_CLI_HOME", "tmp", geminiHash(root), "chats", "session-2026-gem.jsonl");
  }
}

async function writeAll(): Promise<void> {
  for (const agent of AGENTS) {
    const path = placeOf(agent);
    await mkdir(dirname(path), { recursive: true });
    const here = JSON.stringify(home.root);
    await writeFile(
      path,
      transcriptLines(agent, events)
        .map((line) => line.replaceAll(JSON.stringify(CWD), () => here))
        .join("\n"),
    );
  }
}

describe("spillway report", () => {
  test("without a word lists this folder's sessions of all agents that are there", async () => {
    expect(await home.run(["report"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No session of "/),
    });
    expect(await home.run(["report", "--all"], { env })).toMatchObject({
      code: 0,
      stdout: "No session anywhere: a transcript's file can be named\n",
    });
    await writeAll();
    const listed = await home.run(["report", "--json"], { env });
    const sessions: { agent: string }[] = listed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(sessions.map(({ agent }) => agent).sort()).toEqual([...AGENTS].sort());
    const shown = await home.run(["report"], { env });
    expect(shown.stdout).toContain("6 sessions");
    const elsewhere = await home.run(["report", "--json", "--root", "/"], { env });
    expect(elsewhere.stdout).toMatch(/^No session of|^$/);
  });

  test("tells of a session by the beginning of its id, in 80 columns and nothing of its words", async () => {
    await writeAll();
    const { stdout, stderr, code } = await home.run(["report", "session_ki"], { env });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toContain(`${wanted.resent.toLocaleString("en-US")} re-sent`);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain(SECRET);
    expect(stdout).not.toContain("\u001b");
  });

  test("--json has the whole report, --exact counts with a tokenizer, --html writes the page", async () => {
    await writeAll();
    const page = home.path("page.html");
    const file = placeOf("codex");
    const { stdout, stderr, code } = await home.run(["report", file, "--json", "--exact", "--html", page], { env });
    expect({ stderr, code }).toEqual({ stderr: `Wrote "${page}"\n`, code: 0 });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ v: 1, agent: "codex", id: SESSION_ID, counting: "exact", calls: wanted.calls });
    expect(report.totals.tokens).not.toBe(wanted.tokens);
    expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>/);
  });

  test("says in one line when the page cannot be written", async () => {
    await writeAll();
    const { code, stderr } = await home.run(["report", placeOf("codex"), "--html", "no/such/x.html"], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^spillway: Cannot write the page to "no\/such\/x\.html" \(ENOENT.*\): name a file.*\n$/);
  });

  test("reads and changes nothing", async () => {
    await writeAll();
    const before = await readFile(placeOf("spillway"), "utf8");
    await home.run(["report", "ours"], { env });
    expect(await readFile(placeOf("spillway"), "utf8")).toBe(before);
  });

  test.each([
    [["report", "nope"], 'There is no session and no file "nope"'],
    [["report", "--html", "x.html"], "Which session?"],
    [["report", "notes.txt"], "is no transcript that is known"],
  ])("%j is refused", async (args, message) => {
    await writeFile(home.path("notes.txt"), "hello\n");
    const { stderr, code } = await home.run(args, { env, cwd: home.root });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test("names in a transcript cannot drive the terminal", async () => {
    await writeAll();
    const path = placeOf("pi");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll("src/part-1.ts", "\\u001b]0;x\\u0007src\\nRe-sent"));
    const { stdout } = await home.run(["report", path], { env });
    expect(stdout).toContain("src Re-sent");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
