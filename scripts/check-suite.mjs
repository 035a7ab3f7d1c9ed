// Runs the whole suite on the other versions of Node and of the AI SDK, each in a copy of the tree with those versions
// installed from the registry. A line a combination, each failed test, then "N passed, N failed".
// `--only TEXT` takes the combinations whose name holds it, `--files TEXT` the test files whose path does.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { COMBINATIONS, installNodes, nameOf, run, UNREACHABLE } from "./versions.mjs";

const root = resolve(import.meta.dirname, "..");
const MAX_INSTALL_MS = 240_000;
/** A suite takes four minutes on two cores. */
const MAX_SUITE_MS = 1_500_000;

const { values } = parseArgs({ options: { only: { type: "string" }, files: { type: "string" } } });
const { packageManager } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
// The tree as it stands is tested by `npm test`, on the versions that it names.
const chosen = COMBINATIONS.filter((one) =>
  values.only === undefined ? !one.isOwn : nameOf(one).includes(values.only),
);
const outside = await mkdtemp(join(tmpdir(), "spillway-suite-"));
const counts = { passed: 0, failed: 0 };
try {
  const nodeOf = await installNodes(join(outside, "nodes"), chosen);
  // One after the other: the suite takes all the cores there are.
  for (const one of chosen) await check(one, nodeOf(one.node));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
} catch (error) {
  const said = `${error.message}\n${error.stdout ?? ""}\n${error.stderr ?? ""}`;
  if (!UNREACHABLE.test(said)) throw new Error(said);
  console.log("SKIPPED: the registry cannot be reached, so the suite ran on no other versions");
} finally {
  await rm(outside, { recursive: true, force: true, maxRetries: 5 });
}

async function check(combination, node) {
  const started = performance.now();
  const folder = join(outside, `node-${combination.node}-ai-${combination.ai}`);
  await copyTree(folder);
  await installVersions(folder, combination, node);
  const report = join(outside, "report.json");
  const { code, output } = await suite(node, folder, report, combination.without);
  const { stdout: version } = await run(node, ["--version"]);
  const of = async (name) => {
    const { stdout } = await run(node, ["-p", `require("${name}/package.json").version`], {
      cwd: join(folder, "packages/host"),
    });
    return stdout.trim();
  };
  const name = `node ${version.trim().slice(1)}, ai ${await of("ai")}, anthropic ${await of("@ai-sdk/anthropic")}`;
  const [passed, failed] = await countsOf(report).catch(() => [0, 1]);
  counts.passed += passed;
  counts.failed += failed === 0 && code !== 0 ? 1 : failed;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${code === 0 ? "ok" : "FAILED"} ${name}: ${passed} tests passed, ${failed} failed (${seconds} s)`);
  if (passed === 0) console.log(output.slice(-4000));
  else
    console.log(
      (await run(process.execPath, [join(root, "scripts/test-report.mjs"), "failures", report], { cwd: folder }))
        .stdout,
    );
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** What git would commit, as it lies here. */
async function copyTree(folder) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 1 << 26 });
  for (const name of stdout.split("\0").filter((one) => one !== "")) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    // A file that git still lists and somebody removed.
    await cp(join(root, name), target, { verbatimSymlinks: true }).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}

async function installVersions(folder, { ai, anthropic, openai, compatible }, node) {
  const overrides = {
    ai,
    "@ai-sdk/anthropic": anthropic,
    "@ai-sdk/openai": openai,
    "@ai-sdk/openai-compatible": compatible,
  };
  const file = join(folder, "pnpm-workspace.yaml");
  const lines = Object.entries(overrides).map(([name, version]) => `  "${name}": "${version}"`);
  await writeFile(file, `${await readFile(file, "utf8")}overrides:\n${lines.join("\n")}\n`);
  const args = ["-y", packageManager, "install", "--no-frozen-lockfile", "--prefer-offline"];
  await run("npx", args, { cwd: folder, env: envOf(node), timeout: MAX_INSTALL_MS, maxBuffer: 1 << 26 });
}

/** Whatever is started runs on this Node. */
function envOf(node) {
  return { ...process.env, NODE_OPTIONS: "", PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

function suite(node, cwd, report, untold = []) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "--reporter=json", `--outputFile=${report}`];
  if (values.files !== undefined) args.push(values.files);
  return new Promise((done, fail) => {
    const env = { ...envOf(node), SPILLWAY_UNTOLD: JSON.stringify(untold) };
    const options = { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: MAX_SUITE_MS, killSignal: "SIGKILL" };
    const child = spawn(node, args, options);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", fail);
    child.on("close", (code) => done({ code, output }));
  });
}

async function countsOf(report) {
  const { stdout } = await run(process.execPath, [join(root, "scripts/test-report.mjs"), "counts", report]);
  return stdout.trim().split(" ").map(Number);
}
