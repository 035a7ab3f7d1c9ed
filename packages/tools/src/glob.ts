import { isAbsolute, posix, resolve } from "node:path";
import { byteLength, type Limits } from "@spillway/limits";
import { z } from "zod";
import { globNotice } from "./glob-notice.ts";
import { hasGlobSyntax } from "./glob-syntax.ts";
import type { LocateRequest } from "./path.ts";
import { withGrants } from "./path-grants.ts";
import { compareDated, type Dated } from "./search/newest.ts";
import { runShared } from "./search/run-shared.ts";
import { shownName } from "./shown-name.ts";
import type { DescriptionContext, Tool, ToolEnv } from "./tool.ts";
import type { ListFilesOutput } from "./worker/list-files.ts";

export interface GlobInput {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** What Glob gives back (spec 2.4). */
export interface GlobResult {
  /** Newest first: workspace-relative with `/`; absolute for scratch and external. */
  readonly matches: readonly string[];
  readonly count: number;
  /** There are more. */
  readonly truncated: boolean;
  /** Ready arguments of the next call, if there are more. */
  readonly next?: Record<string, unknown>;
  readonly notice?: string;
}

/** Stops patterns that backtrack without end. */
const DEADLINE_MS = 60_000;

export function createGlobTool({ limits }: DescriptionContext): Tool<GlobInput, GlobResult> {
  return {
    name: "Glob",
    description: description(limits),
    risk: "low",
    inputSchema: inputSchema(limits),
    outputSchema: OUTPUT_SCHEMA,
    execute: executeGlob,
  };
}

function description({ globLimit, globMaxLimit }: Limits): string {
  return [
    "Finds files by a glob pattern: **/*.ts, src/**/*.{js,jsx}, !(*.test).ts. A pattern without / matches the file name at any depth; the path of an existing file matches that file.",
    `Newest first, files only. Returns ${globLimit} paths unless limit says otherwise (at most ${globMaxLimit}); offset pages on. path names the folder to search (default: the workspace).`,
    "Hidden files are listed; .git and what .gitignore, .ignore and git's excludes leave out are not. An ignored folder (node_modules, dist) is listed when path names it.",
  ].join("\n");
}

function inputSchema({ globLimit, globMaxLimit }: Limits): z.ZodType<GlobInput> {
  const count = z.number().int();
  return z.strictObject({
    pattern: z.string().min(1).describe("Glob pattern, relative to path."),
    path: z
      .string()
      .min(1)
      .optional()
      .describe("Folder to search (default: the workspace). An ignored one is searched when named."),
    limit: count
      .min(1)
      .max(globMaxLimit)
      .optional()
      .describe(`Most paths to return (default ${globLimit}, at most ${globMaxLimit}).`),
    offset: count.min(0).optional().describe("How many of the first paths to skip, to page on."),
  });
}

const OUTPUT_SCHEMA: z.ZodType<GlobResult> = z.strictObject({
  matches: z.array(z.string()),
  count: z.number().int(),
  truncated: z.boolean(),
  next: z.record(z.string(), z.unknown()).optional(),
  notice: z.string().optional(),
}) as z.ZodType<GlobResult>;

async function executeGlob(input: GlobInput, env: ToolEnv): Promise<GlobResult> {
  const { limits } = env.session;
  const { offset = 0, limit = limits.globLimit } = input;
  const { path, pattern } = located(input, env.session.root);
  const needed = offset + limit + 1;
  const outputs = await withGrants(env, path, "read", (request: LocateRequest) =>
    runShared<ListFilesOutput>(env, (work, signal) =>
      env.session.workers.run(
        "listFiles",
        { request, pattern, needed, work },
        { signal, lane: "long", deadlineMs: DEADLINE_MS },
      ),
    ),
  );
  const found = newestOf(outputs);
  const matches: string[] = [];
  let bytes = 0;
  for (const file of found.slice(offset, offset + limit)) {
    const shown = shownPath(outputs, file.path);
    bytes += byteLength(shownName(shown)) + 1;
    if (matches.length > 0 && bytes > limits.search.maxBytes) break;
    matches.push(shown);
  }
  const truncated = found.length > offset + matches.length;
  const next = truncated ? { ...input, offset: offset + matches.length } : undefined;
  const sum = (pick: (output: ListFilesOutput) => number): number =>
    outputs.reduce((all, output) => all + pick(output), 0);
  const notice = globNotice({
    pattern: input.pattern,
    offset,
    total: found.length,
    count: matches.length,
    unreadable: sum(({ seen }) => seen.unreadable),
    ignored: sum(({ seen }) => seen.ignored),
    next,
  });
  return {
    matches,
    count: matches.length,
    truncated,
    ...(next !== undefined && { next }),
    ...(notice !== undefined && { notice }),
  };
}

/** A pattern that is absolute or climbs (`../`) names the folder to search with its plain beginning. */
function located(
  { pattern, path = "." }: GlobInput,
  root: string,
): { readonly path: string; readonly pattern: string } {
  const plain = pattern.replaceAll(/\/{2,}/g, "/");
  if (!isAbsolute(plain) && !/^\.\.(?:\/|$)/.test(plain)) return { path, pattern };
  const wanted = resolve(root, path);
  const asFolder = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  if (asFolder === wanted || asFolder === root) return { path: asFolder, pattern: "./**" };
  // The folder's own name is no pattern, whatever characters it has. Never a bare name: it would match at any depth.
  if (plain.startsWith(`${wanted}/`)) return { path, pattern: `./${plain.slice(wanted.length + 1)}` };
  if (plain.startsWith(`${root}/`)) return { path: ".", pattern: `./${plain.slice(root.length + 1)}` };
  const parts = plain.split("/");
  const dynamic = parts.findIndex(hasGlobSyntax);
  const base = dynamic === -1 ? parts.length - 1 : Math.min(dynamic, parts.length - 1);
  const folder = resolve(wanted, parts.slice(0, base).join("/") || "/");
  return { path: folder, pattern: `./${parts.slice(base).join("/")}` };
}

function newestOf(outputs: readonly ListFilesOutput[]): Dated[] {
  const files = new Map<string, Dated>();
  for (const file of outputs.flatMap((output) => output.files)) files.set(file.path, file);
  return [...files.values()].sort(compareDated);
}

function shownPath(outputs: readonly ListFilesOutput[], path: string): string {
  const root = outputs[0]?.located.path ?? ".";
  return root === "." ? path : posix.join(root, path);
}
