// Packs the four packages as they would be published and proves that they work for strangers: exports and types
// (publint, attw), then an installation with plain npm into an empty folder where each package is imported and the
// command line is used. Needs the build; the folder lies outside the workspace and is removed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const outside = mkdtempSync(join(tmpdir(), "spillway-packages-"));
const PACKAGES = ["limits", "tools", "checkpoint", "host"];

function run(command, args, options = {}) {
  console.log(`$ ${[command, ...args].join(" ")}`);
  return execFileSync(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", ...options });
}

function bin(name, args) {
  return run(join(root, "node_modules", ".bin", name), args);
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

try {
  run("npx", ["-y", "pnpm@12.4.2", "-r", "--filter", "./packages/*", "pack", "--pack-destination", outside]);
  const tarballs = readdirSync(outside).filter((name) => name.endsWith(".tgz"));
  expect(tarballs.length === PACKAGES.length, `expected ${PACKAGES.length} tarballs, found ${tarballs.join(", ")}`);

  for (const tarball of tarballs) {
    const path = join(outside, tarball);
    const files = run("tar", ["-tzf", path]).split("\n").filter(Boolean);
    const stray = files.filter(
      (file) =>
        !/^package\/(dist\/.+\.(js|js\.map|d\.ts|html)|docs\/.+\.md|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(
          file,
        ),
    );
    expect(stray.length === 0, `${tarball} holds files that do not belong there: ${stray.join(", ")}`);
    for (const needed of ["README.md", "LICENSE", "package.json"]) {
      expect(files.includes(`package/${needed}`), `${tarball} lacks ${needed}`);
    }
    bin("publint", ["run", path, "--strict"]);
    bin("attw", [path, "--profile", "esm-only", "--no-emoji"]);
  }

  writeFileSync(join(outside, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  run("npm", ["install", "--no-audit", "--no-fund", ...tarballs.map((name) => `./${name}`)], { cwd: outside });
  writeFileSync(
    join(outside, "use.mjs"),
    `import { truncate } from "@spillway/limits";
import { createToolbox, renderForModel } from "@spillway/tools";
import { checkPairing, contextBudget } from "@spillway/checkpoint";
import { createAgent, demoModel } from "@spillway/host";
const box = await createToolbox({ root: process.cwd() });
const read = await box.call("Read", { path: "package.json" });
const bash = await box.call("Bash", { command: "echo from-bash" });
await box.close({ remove: true });
console.log(JSON.stringify({
  cut: truncate("a\\nb\\nc", { maxBytes: 100, maxLines: 1, keep: "head" }).body,
  read: renderForModel(read).includes('"outside"'),
  bash: bash.ok && bash.result.stdout,
  pairing: checkPairing([]),
  hardLimit: contextBudget({ contextWindow: 100_000 }).hardLimit,
  host: [typeof createAgent, typeof demoModel],
}));
`,
  );
  const used = JSON.parse(run(process.execPath, ["use.mjs"], { cwd: outside }));
  expect(
    JSON.stringify(used) ===
      JSON.stringify({
        cut: "a",
        read: true,
        bash: "from-bash\n",
        pairing: [],
        hardLimit: 83_616,
        host: ["function", "function"],
      }),
    `the installed packages answered ${JSON.stringify(used)}`,
  );
  const cli = join(outside, "node_modules", "@spillway", "host", "dist", "cli.js");
  const outcome = JSON.parse(run(process.execPath, [cli, "tool", "Read", '{"path":"package.json"}'], { cwd: outside }));
  expect(outcome.ok === true, `spillway tool answered ${JSON.stringify(outcome)}`);
  const version = JSON.parse(readFileSync(join(root, "packages/host/package.json"), "utf8")).version;
  expect(run(process.execPath, [cli, "--version"], { cwd: outside }).includes(version), "spillway --version differs");
  console.log("The packed packages install and work.");
} finally {
  rmSync(outside, { recursive: true, force: true });
}
