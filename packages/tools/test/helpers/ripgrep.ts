import { spawnSync } from "node:child_process";

/** The `rg` program of `@vscode/ripgrep`; undefined where that package has none for this machine. */
export const rgPath: string | undefined = await import("@vscode/ripgrep").then(
  (found) => found.rgPath,
  () => undefined,
);

if (rgPath === undefined) console.warn("SKIPPED: @vscode/ripgrep is not there, nothing is compared with rg");

/** What rg prints. @throws Error with rg's own words when it fails. */
export function runRipgrep(args: readonly string[], options: { input?: Uint8Array; cwd?: string } = {}): Buffer {
  if (rgPath === undefined) throw new Error("There is no rg here");
  const ran = spawnSync(rgPath, ["--no-config", "--color", "never", ...args], {
    ...options,
    maxBuffer: 256 * 1024 * 1024,
  });
  // 1: nothing matched.
  if (ran.status !== 0 && ran.status !== 1) throw new Error(ran.stderr.toString());
  return ran.stdout;
}

/** Numbers of the lines that rg prints with `-n`. */
export function lineNumbers(output: Buffer): number[] {
  return [...output.toString("latin1").matchAll(/^(\d+):/gm)].map(([, number]) => Number(number));
}
