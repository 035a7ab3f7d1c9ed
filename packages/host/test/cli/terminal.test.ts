// What a person at a terminal sees. `script` of util-linux lends a terminal.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";
import { openaiChat } from "../helpers/wire/openai-chat.ts";
import { startWireServer, type WireServer } from "../helpers/wire/server.ts";

const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"], { stdio: "ignore" }).status === 0;
if (!hasTerminal) console.warn("SKIPPED: no `script` of util-linux, so nothing is tested on a terminal");

let home: CliHome;
let server: WireServer | undefined;
beforeEach(async () => {
  home = await createCliHome();
});
afterEach(async () => {
  await server?.close();
  await home.remove();
});

interface Terminal {
  readonly child: ChildProcess;
  type(text: string): void;
  /** Resolves once this was on the screen. */
  shown(text: string): Promise<void>;
  readonly finished: Promise<{ code: number | null; screen: string }>;
}

function onTerminal(args: readonly string[]): Terminal {
  const line = [...CLI, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: home.root,
    env: { ...home.env, TERM: "xterm" },
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  let screen = "";
  const looks = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString("utf8");
    for (const look of looks) look();
  });
  return {
    child,
    type: (text) => child.stdin.write(text),
    shown: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!screen.includes(text)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        child.once("close", () => reject(new Error(`It ended without showing "${text}": ${screen}`)));
        look();
      }),
    finished: new Promise((resolve) => {
      child.once("close", (code) => resolve({ code, screen: screen.replaceAll("\r\n", "\n") }));
    }),
  };
}

async function local(...lists: readonly string[][]): Promise<string[]> {
  server = await startWireServer(openaiChat, {
    script: (answers) => {
      const list = lists[answers];
      if (list === undefined) return { text: "All done." };
      return { calls: list.map((command, n) => ({ id: `c${answers}_${n}`, tool: "Bash", args: { command } })) };
    },
  });
  return ["--base-url", server.url, "--model", "local"];
}

describe.skipIf(!hasTerminal)("spillway run on a terminal", () => {
  test("asks before a command, shows its output as it comes, and how full the context is", async () => {
    const terminal = onTerminal(["run", "go", ...(await local(["echo hello > made; seq 1 40"]))]);
    await terminal.shown("allow? [y]es once, [s]ession (exactly this command), [N]o: ");
    terminal.type("y\n");
    const { code, screen } = await terminal.finished;
    expect(code, screen).toBe(0);
    expect(await readFile(home.path("made"), "utf8")).toBe("hello\n");
    expect(screen).toMatch(/step 1 · context █*░+ \d+% of [\d.]+k tokens/);
    expect(screen).toContain("? $ echo hello > made; seq 1 40");
    for (const text of ["│ 1", "│ 12", "│ …", "exit 0"]) expect(screen).toContain(text);
    expect(screen).not.toContain("│ 13");
    expect(screen).toContain("All done.");
  });

  test("a yes for the session covers the program and its first word, anything else is a no", async () => {
    const model = await local(["git --version", "git status"], ["git status -s"], ["true"]);
    const terminal = onTerminal(["run", "go", ...model]);
    await terminal.shown("? $ git --version");
    terminal.type("s\n");
    await terminal.shown('every plain "git status …" command');
    terminal.type("s\n");
    await terminal.shown("? $ true");
    terminal.type("what?\n");
    const { code, screen } = await terminal.finished;
    expect(code, screen).toBe(0);
    expect(screen.split("allow? ")).toHaveLength(4);
    expect(screen).toContain("NOT_ALLOWED");
  });

  test("Ctrl-C at a question stops the turn and runs nothing", async () => {
    const terminal = onTerminal(["run", "go", ...(await local(["echo hello > made"]))]);
    await terminal.shown("allow? ");
    terminal.type("\u0003");
    const { code, screen } = await terminal.finished;
    expect(code, screen).toBe(130);
    await expect(readFile(home.path("made"))).rejects.toThrow("ENOENT");
    expect(screen).toContain("aborted after 1 step");
  });
});
