// The versions of Node and of the AI SDK that the packages are proved on, and where these come from.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);

/** Provider packages of the same time as the SDK. `without`: what these versions cannot tell. `isOwn`: what the workspace itself is on. */
export const COMBINATIONS = [
  {
    ...{ node: 20, ai: "6.0.100", anthropic: "3.0.47", openai: "3.0.35", compatible: "2.0.30" },
    without: [
      // The call does not arrive at all, and is asked for again.
      "openai chat: arguments that are not JSON",
      // Looks like an answer that ended early; only the third in a row is met with a checkpoint.
      "openai responses: an overflow that the stream tells of",
    ],
  },
  { node: 20, ai: "6", anthropic: "3", openai: "3", compatible: "2", isOwn: true },
  { node: 22, ai: "7.0.0", anthropic: "4.0.0", openai: "4.0.0", compatible: "3.0.0" },
  { node: 24, ai: "7.0.173", anthropic: "4.0.105", openai: "4.0.118", compatible: "3.0.92" },
];

export const nameOf = ({ node, ai }) => `node ${node}, ai ${ai}`;

export const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network request/;

/** Nothing takes longer than this, or it hangs. */
const MAX_INSTALL_MS = 240_000;

/** Node itself comes from the registry as well, unless it is the one that runs this. Gives where each one lies. */
export async function installNodes(folder, combinations) {
  const missing = [...new Set(combinations.map(({ node }) => node))].filter((major) => !isOwn(major));
  if (missing.length > 0) {
    const system = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
    await mkdir(folder, { recursive: true });
    const dependencies = Object.fromEntries(missing.map((major) => [`node-${major}`, `npm:${system}@${major}`]));
    await npmInstall(folder, { name: "nodes", private: true, dependencies });
  }
  return (major) => (isOwn(major) ? process.execPath : join(folder, "node_modules", `node-${major}`, "bin/node"));
}

function isOwn(major) {
  return process.versions.node.startsWith(`${major}.`);
}

export async function npmInstall(folder, manifest) {
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock", "--fetch-retries=1"];
  await run("npm", args, { cwd: folder, timeout: MAX_INSTALL_MS });
}
