import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolboxOptions } from "../../src/create-session.ts";
import type { ToolOutcome } from "../../src/outcome.ts";
import { type CallOptions, createToolbox, type Toolbox } from "../../src/toolbox.ts";

export interface Workspace {
  readonly root: string;
  readonly dataDir: string;
  path(name: string): string;
  write(name: string, data: string | Uint8Array): Promise<string>;
  /** Another session over the same folder; closed with the workspace. */
  toolbox(options?: Partial<ToolboxOptions>): Promise<Toolbox>;
  /** A call in the workspace's first session. */
  call(name: string, args: unknown, options?: CallOptions): Promise<ToolOutcome>;
  remove(): Promise<void>;
}

/** A real temporary folder with a toolbox over it; `files` maps names to contents. */
export async function createWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<ToolboxOptions> = {},
): Promise<Workspace> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-test-")));
  const root = join(base, "workspace");
  const dataDir = join(base, "data");
  await mkdir(root);
  const boxes: Toolbox[] = [];
  let first: Promise<Toolbox> | undefined;
  const workspace: Workspace = {
    root,
    dataDir,
    path: (name) => join(root, name),
    write: async (name, data) => {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, data);
      return path;
    },
    toolbox: async (more = {}) => {
      const box = await createToolbox({ root, dataDir, ...options, ...more });
      boxes.push(box);
      return box;
    },
    call: async (name, args, callOptions) => {
      first ??= workspace.toolbox();
      return (await first).call(name, args, callOptions);
    },
    remove: async () => {
      await Promise.all(boxes.map((box) => box.close({ remove: true })));
      await rm(base, { recursive: true, force: true });
    },
  };
  for (const [name, data] of Object.entries(files)) await workspace.write(name, data);
  return workspace;
}
