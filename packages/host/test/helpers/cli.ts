import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { buildCli } from "./built-cli.ts";
import { until } from "./processes.ts";

/** Node and its arguments up to the command's own. */
export const CLI: readonly string[] = [process.execPath, await builtOnce(inject("buildFolder"))];

/** Test files run side by side: the first that comes builds, the others wait for it. */
async function builtOnce(folder: string): Promise<string> {
  const done = join(folder, "cli-path");
  const isFirst = await mkdir(join(folder, "packages")).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await writeFile(`${done}.new`, await buildCli(folder));
    await rename(`${done}.new`, done);
  }
  await until(() => existsSync(done), "the command line to be built", 120_000);
  return readFile(done, "utf8");
}

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Resolves once this text was printed on either stream. */
  printed(text: string): Promise<void>;
}

/** A folder to work in, a data folder and an environment without anybody's settings or keys. */
export interface CliHome {
  readonly root: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  path(name: string): string;
  start(args: readonly string[], options?: StartOptions): Started;
  run(args: readonly string[], options?: StartOptions): Promise<Finished>;
  remove(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to standard input, which is then closed; without it standard input is empty. `"open"` keeps it open. */
  readonly input?: string;
  /** The command's file, in place of the built one. */
  readonly script?: string;
}

/** No process of a test lives longer than this. */
const MAX_LIFE_MS = 60_000;

export async function createCliHome(files: Readonly<Record<string, string>> = {}): Promise<CliHome> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-cli-")));
  const root = join(base, "work");
  const dataDir = join(base, "data");
  await mkdir(root);
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: base, SPILLWAY_HOME: dataDir };
  const started: ChildProcessWithoutNullStreams[] = [];
  const start: CliHome["start"] = (args, options = {}) => {
    const [node = "", script = ""] = CLI;
    const child = spawn(node, [options.script ?? script, ...args], {
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      timeout: MAX_LIFE_MS,
      killSignal: "SIGKILL",
    });
    started.push(child);
    return watch(child, options.input);
  };
  return {
    root,
    dataDir,
    env,
    path: (name) => join(root, name),
    start,
    run: (args, options) => start(args, options).finished,
    remove: async () => {
      for (const child of started) child.kill("SIGKILL");
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function watch(child: ChildProcessWithoutNullStreams, input: string | undefined): Started {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const waiting = new Set<() => void>();
  const keep =
    (into: Buffer[]) =>
    (chunk: Buffer): void => {
      into.push(chunk);
      for (const look of waiting) look();
    };
  child.stdout.on("data", keep(out));
  child.stderr.on("data", keep(err));
  // A child that was ended while it was written to.
  child.stdin.on("error", () => undefined);
  if (input !== "open") child.stdin.end(input ?? "");
  const text = (): string => Buffer.concat(out).toString("utf8") + Buffer.concat(err).toString("utf8");
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      for (const look of waiting) look();
      resolve({
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
        code,
        signal,
      });
    });
  });
  return {
    child,
    finished,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = text().includes(wanted);
          if (!found && child.exitCode === null && child.signalCode === null) return;
          waiting.delete(look);
          if (found) resolve();
          else reject(new Error(`The command ended without printing "${wanted}": ${text()}`));
        };
        waiting.add(look);
        look();
      }),
  };
}
