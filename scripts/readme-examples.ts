// Runs the `ts` blocks of a README as a stranger would: in an empty folder where the built packages are installed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "..");
const PACKAGES = ["limits", "tools", "checkpoint", "host"];

export interface ReadmeExample {
  /** 1-based line of the README where the block's code begins. */
  readonly line: number;
  readonly code: string;
  /** The lines after `// ` that stand alone below a statement: what the block prints. */
  readonly expected: readonly string[];
}

/** The `ts` blocks of a README, `path` relative to the repository. */
export async function readmeExamples(path: string): Promise<ReadmeExample[]> {
  const lines = (await readFile(join(root, path), "utf8")).split("\n");
  const examples: ReadmeExample[] = [];
  for (const [index, line] of lines.entries()) {
    if (line !== "```ts") continue;
    const end = lines.indexOf("```", index);
    const block = lines.slice(index + 1, end);
    const expected = block.filter((row) => row.startsWith("// ")).map((row) => row.slice(3));
    examples.push({ line: index + 2, code: block.join("\n"), expected });
  }
  return examples;
}

/** What the example prints, as lines; rejects when it fails. `files` lie in the folder that it runs in. */
export async function runExample(
  example: ReadmeExample,
  files: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-readme-"));
  try {
    await mkdir(join(folder, "node_modules", "@spillway"), { recursive: true });
    for (const name of PACKAGES) {
      await symlink(join(root, "packages", name), join(folder, "node_modules", "@spillway", name), "dir");
    }
    for (const name of ["ai", "zod"]) {
      await symlink(join(root, "packages", "host", "node_modules", name), join(folder, "node_modules", name), "dir");
    }
    await writeFile(join(folder, "package.json"), '{\n  "name": "example",\n  "type": "module"\n}\n');
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, "example.ts"), example.code);
    const preload = new URL("./typescript.mjs", import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, [`--import=${preload}`, "example.ts"], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "", SPILLWAY_HOME: join(folder, ".spillway") },
      timeout: 60_000,
    });
    return stdout.trimEnd().split("\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
