// Proves the packed packages on the oldest and newest supported AI SDK, on Node 20, 22 and 24, all from the registry: each
// combination installs them into an empty folder, type checks and runs the README's examples, then runs
// packages/host/test/fixtures/compatibility.ts. Needs the build. A line a combination, then "N passed, N failed".
// `--only TEXT` takes the combinations whose name holds it.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { COMBINATIONS, installNodes, nameOf, npmInstall, run, UNREACHABLE } from "./versions.mjs";

const root = resolve(import.meta.dirname, "..");

/** Pages that show the AI SDK at work; what the host's examples print depends on the folder. */
const EXAMPLES = [
  { name: "checkpoint", isRun: true },
  { name: "checkpoint", page: "docs/ai-sdk.md", isRun: true },
  { name: "host", isRun: false },
  { name: "host", page: "docs/ai-sdk.md", isRun: false },
];
const PROGRAM = "program/test/fixtures/compatibility.js";
/** Nothing takes longer than this, or it hangs. */
const MAX_LIFE_MS = 240_000;

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const chosen = COMBINATIONS.filter((one) => nameOf(one).includes(values.only));
const outside = await mkdtemp(join(tmpdir(), "spillway-matrix-"));
const counts = { passed: 0, failed: 0 };
try {
  const [nodeOf] = await Promise.all([installNodes(join(outside, "nodes"), chosen), pack(), compileProgram()]);
  // Two at a time: one waits for the registry or for a model while the other computes.
  const left = [...chosen];
  await Promise.all(
    [1, 2].map(async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await check(one, nodeOf(one.node));
    }),
  );
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
} catch (error) {
  const said = `${error.message}\n${error.stderr ?? ""}`;
  if (!UNREACHABLE.test(said)) throw error;
  console.log("SKIPPED: the registry cannot be reached, so nothing was checked on other versions");
} finally {
  await rm(outside, { recursive: true, force: true, maxRetries: 5 });
}

async function check(combination, node) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const folder = await install(combination);
  const installed = async (name) =>
    JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"))).version;
  const { stdout: version } = await run(node, ["--version"]);
  const name = `node ${version.trim().slice(1)}, ai ${await installed("ai")}, anthropic ${await installed("@ai-sdk/anthropic")}`;
  try {
    const examples = await runExamples(folder, node);
    const { stdout } = await program(node, folder, PROGRAM, combination.without);
    const last = stdout.trimEnd().split("\n").at(-1);
    counts.passed += 1;
    console.log(`ok ${name}: ${examples} examples, ${last} (${seconds()})`);
  } catch (error) {
    if (UNREACHABLE.test(error.stderr ?? "")) throw error;
    counts.failed += 1;
    console.log(`FAILED ${name} (${seconds()})\n${error.message}\n${error.stdout ?? ""}\n${error.stderr ?? ""}`);
  }
}

function program(node, cwd, file, args = []) {
  const env = { ...process.env, NODE_OPTIONS: "", SPILLWAY_HOME: join(cwd, ".spillway") };
  return run(node, [join(cwd, file), ...args], { cwd, env, timeout: MAX_LIFE_MS, maxBuffer: 1 << 26 });
}

async function pack() {
  const args = ["-y", "pnpm@12.4.2", "-r", "--filter", "./packages/*", "pack", "--pack-destination", outside];
  await run("npx", args, { cwd: root, timeout: MAX_LIFE_MS, env: { ...process.env, npm_config_fetch_retries: "1" } });
}

/** The program as a stranger's package would have it: plain JavaScript that imports the installed packages. */
async function compileProgram() {
  const source = join(root, "packages/host");
  await writeFile(
    join(outside, "tsconfig.program.json"),
    JSON.stringify({
      extends: join(source, "tsconfig.json"),
      compilerOptions: {
        ...{ rootDir: source, outDir: join(outside, "program"), noCheck: true, composite: false, declaration: false },
        ...{ isolatedDeclarations: false, sourceMap: false, inlineSources: false },
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: [join(source, "test/fixtures/compatibility.ts")],
      include: [],
      references: [],
    }),
  );
  await compile(join(outside, "tsconfig.program.json"));
}

function compile(project) {
  return run(join(root, "node_modules/.bin/tsc"), ["-p", project], { timeout: MAX_LIFE_MS });
}

async function install({ node, ai, anthropic, openai, compatible }) {
  const folder = join(outside, `node-${node}-ai-${ai}`);
  await mkdir(folder);
  const tarballs = (await readdir(outside)).filter((name) => name.endsWith(".tgz"));
  const own = tarballs.map((name) => [`@spillway/${/^spillway-([a-z]+)-/.exec(name)?.[1]}`, `file:../${name}`]);
  const dependencies = {
    ...Object.fromEntries(own),
    ...{ ai, "@ai-sdk/anthropic": anthropic, "@ai-sdk/openai": openai, "@ai-sdk/openai-compatible": compatible },
  };
  await npmInstall(folder, { name: "outside", private: true, type: "module", dependencies });
  await cp(join(outside, "program"), join(folder, "program"), { recursive: true });
  return folder;
}

/** Type checks the examples against these versions, runs them, and gives their number. */
async function runExamples(folder, node) {
  const sources = join(folder, "examples");
  await mkdir(sources);
  await cp(join(root, "packages/checkpoint/test/fixtures/reading-model.ts"), join(sources, "model.ts"));
  const examples = [];
  for (const { name, page = "README.md", isRun } of EXAMPLES) {
    const readme = await readFile(join(root, "packages", name, page), "utf8");
    for (const [, code] of readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
      const expected = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line).join("\n");
      examples.push({ file: `${name}-${examples.length}`, code, expected, isRun });
    }
  }
  for (const { file, code } of examples) await writeFile(join(sources, `${file}.ts`), code);
  const compilerOptions = {
    ...{
      module: "nodenext",
      target: "es2023",
      strict: true,
      skipLibCheck: true,
      rewriteRelativeImportExtensions: true,
    },
    ...{
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      outDir: join(folder, "built"),
      rootDir: sources,
    },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["examples"] }));
  await compile(folder);
  for (const { file, expected } of examples.filter(({ isRun }) => isRun)) {
    const { stdout } = await program(node, folder, join("built", `${file}.js`));
    if (stdout.trimEnd() !== expected) throw new Error(`The example ${file} printed ${stdout} and not ${expected}`);
  }
  return examples.length;
}
