// The provider packages are optional: npm may have left them out.
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI, type CliHome, createCliHome } from "../helpers/cli.ts";

let home: CliHome;
let folder: string;
let cli: string;
beforeAll(async () => {
  home = await createCliHome();
  folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-bare-")));
  cli = await copyWithoutProviders(dirname(dirname(CLI[1] ?? "")), folder);
});
afterAll(async () => {
  await home.remove();
  await rm(folder, { recursive: true, force: true });
});

async function copyWithoutProviders(host: string, target: string): Promise<string> {
  for (const name of ["dist", "package.json"]) await cp(join(host, name), join(target, name), { recursive: true });
  const link = async (name: string): Promise<void> =>
    symlink(await realpath(join(host, "node_modules", name)), join(target, "node_modules", name), "dir");
  await mkdir(join(target, "node_modules/@ai-sdk"), { recursive: true });
  await link("@ai-sdk/provider");
  const names = await readdir(join(host, "node_modules"));
  for (const name of names.filter((one) => one !== "@ai-sdk" && !one.startsWith("."))) await link(name);
  return join(target, "dist/cli.js");
}

describe("without the provider packages", () => {
  test.each([
    ["@ai-sdk/anthropic", ["--model", "anthropic/claude-x"]],
    ["@ai-sdk/openai", ["--model", "openai/gpt-x"]],
    ["@ai-sdk/openai-compatible", ["--model", "x", "--base-url", "http://127.0.0.1:1/v1"]],
  ])("%s is named with the command that installs it", async (name, flags) => {
    const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" };
    const { stderr, code } = await home.run(["run", "go", ...flags], { env, script: cli });
    expect(stderr).toBe(`spillway: The package "${name}" is not installed: run "npm install ${name}"\n`);
    expect(code).toBe(2);
  });

  test("what needs no provider works", async () => {
    const { stdout, code } = await home.run(["tool", "Bash", '{"command":"printf fine"}'], { script: cli });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: { stdout: "fine" } });
    expect(code).toBe(0);
  });
});
