// Packs the four packages as they would be published and proves that they work for strangers: exports and types
// (publint, attw), size and stray files, then an installation of each alone with plain npm into an empty folder, where it is
// used from plain ESM and type checked from strict TypeScript; the command line; the licences of all dependencies. Needs the build; the folder lies outside the workspace and is removed.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PACKAGE_USES } from "./package-uses.mjs";

const root = resolve(import.meta.dirname, "..");
const outside = mkdtempSync(join(tmpdir(), "spillway-packages-"));
const PACKAGES = Object.keys(PACKAGE_USES);
/** Licences that ask for nothing but their text. */
const FREE = new Set(
  "MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause Apache-2.0 0BSD BlueOak-1.0.0 Unlicense CC0-1.0".split(" "),
);

function run(command, args, options = {}) {
  console.log(`$ ${[command, ...args].join(" ")}`);
  try {
    return execFileSync(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
      ...options,
    });
  } catch (error) {
    throw new Error(`"${command}" failed with ${error.status}: ${String(error.stdout).slice(0, 4000)}`);
  }
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
    const kilobytes = Math.ceil(statSync(path).size / 1024);
    const { maxKilobytes } = PACKAGE_USES[nameOf(tarball)];
    expect(kilobytes <= maxKilobytes, `${tarball} has ${kilobytes} KB, more than its ${maxKilobytes}`);
    console.log(`${tarball}: ${kilobytes} KB packed, at most ${maxKilobytes}`);
    for (const needed of ["README.md", "LICENSE", "package.json"]) {
      expect(files.includes(`package/${needed}`), `${tarball} lacks ${needed}`);
    }
    bin("publint", ["run", path, "--strict"]);
    bin("attw", [path, "--profile", "esm-only", "--no-emoji"]);
  }

  for (const [name, use] of Object.entries(PACKAGE_USES)) checkAlone(name, use);
  checkCommandLine(join(outside, "host"));
  checkLicences(join(outside, "host"));
  console.log("The packed packages install and work.");
} finally {
  rmSync(outside, { recursive: true, force: true });
}

function nameOf(tarball) {
  return PACKAGES.find((name) => tarball.startsWith(`spillway-${name}-`));
}

function tarballOf(name) {
  return join(
    outside,
    readdirSync(outside).find((file) => file.startsWith(`spillway-${name}-`)),
  );
}

/** Installs one package and what it needs of ours, and uses it. */
function checkAlone(name, { needs, code, prints }) {
  const folder = join(outside, name);
  mkdirSync(folder);
  const dependencies = Object.fromEntries(
    [name, ...needs].map((own) => [`@spillway/${own}`, `file:${tarballOf(own)}`]),
  );
  const manifest = { name: "outside", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  run("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
  writeFileSync(join(folder, "use.mjs"), code);
  const printed = run(process.execPath, ["use.mjs"], { cwd: folder }).trim();
  expect(printed === prints, `@spillway/${name} printed "${printed}" and not "${prints}"`);

  writeFileSync(join(folder, "use.ts"), code);
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", strict: true, noEmit: true, exactOptionalPropertyTypes: true },
    // The declarations of `ai` itself do not pass these settings.
    skipLibCheck: name === "host",
    ...{ noUncheckedIndexedAccess: true, types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["use.ts"] }));
  run(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const installed = Object.keys(packages).length - 1;
  console.log(
    `@spillway/${name} in an empty project: ${installed} packages, prints "${printed}", strict TypeScript passes`,
  );
}

function checkCommandLine(folder) {
  const cli = join(folder, "node_modules", "@spillway", "host", "dist", "cli.js");
  const outcome = JSON.parse(run(process.execPath, [cli, "tool", "Read", '{"path":"package.json"}'], { cwd: folder }));
  expect(outcome.ok === true, `spillway tool answered ${JSON.stringify(outcome)}`);
  const { version } = JSON.parse(readFileSync(join(root, "packages/host/package.json"), "utf8"));
  expect(run(process.execPath, [cli, "--version"], { cwd: folder }).includes(version), "spillway --version differs");
}

function checkLicences(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const counts = new Map();
  for (const path of Object.keys(packages).filter((key) => key.startsWith("node_modules/"))) {
    const license = licenceAt(join(folder, path));
    if (license === undefined) continue;
    expect(isFree(license), `${path} has the licence "${license}": see whether it may be depended on`);
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  const list = [...counts].sort(([, a], [, b]) => b - a).map(([license, count]) => `${license} ${count}`);
  console.log(`Licences of all dependencies: ${list.join(", ")}`);
}

/** Of alternatives one has to be free, of licences that hold at once all. */
function isFree(license) {
  const alternatives = license.replace(/[()]/g, "").split(" OR ");
  return alternatives.some((alternative) => alternative.split(" AND ").every((name) => FREE.has(name)));
}

/** Undefined for an optional package of another platform, which npm lists and does not install. */
function licenceAt(folder) {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
  return typeof manifest.license === "object" ? manifest.license.type : String(manifest.license);
}
