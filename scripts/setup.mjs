// Installs what the workspace needs and builds the packages. A line for each; what a step printed is shown when it fails.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { packageManager } = JSON.parse(await readFile(resolve(root, "package.json"), "utf8"));

await step("Installing dependencies", ["install", "--frozen-lockfile"]);
await step("Building the packages", ["run", "build"]);

async function step(what, args) {
  const started = performance.now();
  process.stderr.write(`${what} …`);
  const { code, output } = await pnpm(args);
  if (code !== 0) {
    process.stderr.write(` failed\n${output}\n`);
    process.exit(1);
  }
  process.stderr.write(` ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function pnpm(args) {
  return new Promise((done, fail) => {
    // Windows starts a script only through its shell.
    const options = { cwd: root, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" };
    const child = spawn("npx", ["-y", packageManager, ...args], options);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", fail);
    child.on("close", (code) => done({ code, output }));
  });
}
