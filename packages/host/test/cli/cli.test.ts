// The real command line in processes of its own.
import { access, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
beforeEach(async () => {
  home = await createCliHome({ "a.txt": "alpha\nbeta\n", ".env": "KEY=1\n" });
});
afterEach(() => home.remove());

describe("spillway", () => {
  test("--help and --version print on standard output and exit with 0", async () => {
    const help = await home.run(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["demo", "run", "resume", "sessions", "clean", "config", "tool"]) {
      expect(help.stdout).toContain(`spillway ${command}`);
    }
    const manifest = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(await home.run(["--version"])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test("a wrong command line is named on standard error and exits with 2", async () => {
    expect(await home.run(["rnu"])).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: 'Unknown command "rnu": did you mean "run"?\nspillway --help lists the commands\n',
    });
  });
});

describe("spillway tool", () => {
  const call = (name: string, args: unknown, more: readonly string[] = []): ReturnType<CliHome["run"]> =>
    home.run(["tool", name, JSON.stringify(args), ...more]);

  test("prints the outcome and nothing else, with the authority of whoever typed it", async () => {
    const { stdout, stderr, code } = await call("Read", { path: ".env" });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, tool: "Read", result: { path: ".env", totalLines: 1 } });
    expect(stdout.endsWith("}\n")).toBe(true);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });

  test("starts nothing in the background, which would end with the call", async () => {
    const { stdout, code } = await call("Bash", { command: "sleep 100", background: true });
    expect(JSON.parse(stdout).error).toEqual({
      code: "INVALID_ARGUMENT",
      message:
        '"background" is true, and what it starts would end with this one call: run it without, or in a session (spillway run, spillway mcp)',
      next: "run it without, or in a session (spillway run, spillway mcp)",
    });
    expect(code).toBe(1);
  });

  test("a failed call exits with 1 and is an outcome as well", async () => {
    const { stdout, stderr, code } = await call("Bash", { command: "echo out; echo err >&2; exit 3" });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      tool: "Bash",
      error: { code: "TOOL_FAILED" },
      result: { stdout: "out\n", stderr: "err\n", exitCode: 3 },
    });
    expect({ stderr, code }).toEqual({ stderr: "", code: 1 });
  });

  test("the copy of an output that was cut is still there afterwards", async () => {
    const { stdout } = await call("Bash", { command: "seq 1 20000" });
    const { result } = JSON.parse(stdout);
    expect(result.truncated).toBe(true);
    expect((await readFile(result.stdoutInfo.spillPath, "utf8")).endsWith("\n20000\n")).toBe(true);
  });

  test.each([
    ["Read", { path: "a.txt", ofset: 1 }, "INVALID_ARGUMENT", 'did you mean "offset"?'],
    ["Read", { path: 7 }, "INVALID_ARGUMENT", 'Read cannot take "path" 7'],
    ["Read", { path: "b.txt" }, "PATH_NOT_FOUND", 'did you mean "a.txt"?'],
    ["Read", { path: "." }, "PATH_NOT_FILE", "list it with Glob"],
    ["Read", { path: "/etc/passwd" }, "PATH_OUTSIDE_WORKSPACE", "use a path inside the workspace"],
    ["Grep", { pattern: "x", path: ".." }, "PATH_OUTSIDE_WORKSPACE", "use a path inside the workspace"],
    ["Bash", { command: "true", timeout: 0 }, "INVALID_ARGUMENT", "timeout"],
  ])("%s %j is refused as %s", async (name, args, code, message) => {
    const refused = await call(name, args);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      tool: name,
      error: { code, message: expect.stringContaining(message) },
    });
    expect({ stderr: refused.stderr, code: refused.code }).toEqual({ stderr: "", code: 1 });
  });

  test("an unknown tool is answered with the nearest one", async () => {
    const { stdout, stderr, code } = await call("Raed", {});
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      tool: "Raed",
      error: {
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining('There is no tool "Raed": did you mean "Read"?'),
      },
    });
    expect({ stderr, code }).toEqual({ stderr: "", code: 1 });
  });

  test("reads the arguments from standard input for a dash, and says what is wrong with them", async () => {
    const piped = await home.run(["tool", "Read", "-", "--root", home.root], { input: '{"path":"a.txt"}', cwd: "/" });
    expect(JSON.parse(piped.stdout)).toMatchObject({ ok: true, result: { totalLines: 2 } });
    const wrong = await home.run(["tool", "Read", "{path: a}"]);
    expect(JSON.parse(wrong.stdout).error.message).toContain("The arguments are not JSON");
    expect(wrong).toMatchObject({ code: 1, stderr: "" });
  });
});

describe("spillway run", () => {
  test.each([
    [[], "No model is chosen: use --model anthropic/"],
    [["--model", "anthropic/claude-x"], "anthropic/claude-x needs a key: set ANTHROPIC_API_KEY"],
    [["--model", "demo", "--root", "/no/such"], 'root "/no/such" does not exist: name an existing directory'],
    [["--model", "demo", "--session", "a b"], 'Invalid session id "a b"'],
  ])("%j is refused in one line", async (flags, message) => {
    const { stdout, stderr, code } = await home.run(["run", "task", ...flags]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("without a terminal denies what the mode does not allow and says which flag does", async () => {
    const { stdout, stderr, code } = await home.run(["run", "walk", "--model", "demo"]);
    expect(code).toBe(0);
    expect(stderr).toContain("Denied Bash, nobody is there to ask: run with --mode auto to allow it");
    expect(stdout).toContain("Demo step 1 of 6: I am a script, not an AI.");
    expect(stdout + stderr).not.toContain("\u001b[");
  });

  test("with --json prints one event a line, the session first and the result last", async () => {
    const { stdout, stderr, code } = await home.run(["run", "-", "--model", "demo", "--json", "--session", "s1"], {
      input: "walk",
    });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toEqual({ type: "session", sessionId: "s1", root: home.root });
    expect(events.at(-1)).toMatchObject({ type: "done", result: { reason: "stop" } });
  });
});

describe("sessions", () => {
  test("are listed, resumed, and removed with what they saved", async () => {
    for (const id of ["one", "two"]) {
      await home.run(["run", `task ${id}`, "--model", "demo", "--session", id, "--mode", "accept-edits"]);
    }
    const listed = await home.run(["sessions"]);
    expect(listed.stdout.split("\n").map((line) => line.split("  ")[0])).toEqual(["two", "one", ""]);
    expect(listed.stdout).toContain("task one");
    const json = await home.run(["sessions", "--json"]);
    expect(JSON.parse(json.stdout.split("\n")[0] ?? "")).toMatchObject({
      id: "two",
      root: home.root,
      prompt: "task two",
    });

    const resumed = await home.run(["resume", "--model", "demo", "--json"], { cwd: "/" });
    expect(JSON.parse(resumed.stdout.split("\n")[0] ?? "")).toMatchObject({ sessionId: "two", root: home.root });
    const finished = await home.run(["resume", "one", "--model", "demo"]);
    expect(finished).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing to continue: spillway resume one "prompt"'),
    });
    const asked = await home.run(["resume", "one", "and now?", "--model", "demo"]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining("I am a script") });

    await writeFile(join(home.dataDir, "sessions", "other-file"), "");
    expect(await home.run(["clean"])).toMatchObject({
      code: 0,
      stdout: "Nothing to remove that is older than 30 days\n",
    });
    expect(await home.run(["clean", "one"])).toMatchObject({ code: 0, stdout: "removed one\n" });
    expect(await home.run(["clean", "one"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no session "one"'),
    });
    expect(await home.run(["clean", "--all"])).toMatchObject({ code: 0, stdout: "removed two\n" });
    expect(await readdir(join(home.dataDir, "sessions"))).toEqual(["other-file"]);
    expect(await readdir(join(home.dataDir, "scratch")).catch(() => [])).toEqual([]);
    expect(await home.run(["resume"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('begin one with "spillway run"'),
    });
  }, 90_000);
});

describe("spillway config", () => {
  test("shows every setting and where it comes from", async () => {
    const { stdout, code } = await home.run(["config", "--mode", "auto"], { env: { SPILLWAY_MODEL: "demo" } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "model            demo  (SPILLWAY_MODEL)",
        `root             ${home.root}  (default)`,
        "mode             auto  (--mode)",
        `dataDir          ${home.dataDir}  (SPILLWAY_HOME)`,
        "baseUrl          (not set)",
        "contextWindow    (not set)",
        "maxOutputTokens  (not set)",
        "limits           (not set)",
        "",
        `settings file: ${home.dataDir}/config.json`,
        "",
      ].join("\n"),
    );
    await expect(access(home.dataDir)).rejects.toThrow("ENOENT");
  });
});
