import type { Limits } from "@spillway/limits";
import { z } from "zod";
import { grepDescription } from "./grep-description.ts";
import { contentResult, countsResult, filesResult } from "./grep-result.ts";
import { searchFiles } from "./grep-search.ts";
import { withGrants } from "./path-grants.ts";
import type { PatternRequest } from "./pattern.ts";
import type { DescriptionContext, Tool, ToolEnv } from "./tool.ts";

export interface GrepInput {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  readonly outputMode?: "content" | "filesWithMatches" | "count" | undefined;
  readonly headLimit?: number | undefined;
  readonly offset?: number | undefined;
  readonly caseInsensitive?: boolean | undefined;
  readonly literal?: boolean | undefined;
  readonly multiline?: boolean | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface GrepMatch {
  /** Workspace-relative with `/`; absolute for scratch and external. */
  readonly path: string;
  /** 1-based; of a match over several lines the first. */
  readonly line: number;
  readonly text: string;
  /** Only where the line is too long to be shown whole: the 1-based character that `text` begins at. */
  readonly column?: number;
  /** Not a match but a line near one. */
  readonly context?: boolean;
}

interface GrepFacts {
  /** Something was left out. */
  readonly truncated: boolean;
  /** Ready arguments of the next call, if there are more matches. */
  readonly next?: Record<string, unknown>;
  readonly notice?: string;
}

export interface GrepContentResult extends GrepFacts {
  /** Files newest first, lines ascending. */
  readonly matches: readonly GrepMatch[];
  /** The anchors that Edit takes, by path. */
  readonly tags: Readonly<Record<string, string>>;
  /** Matches shown, context lines not counted. */
  readonly count: number;
  /** Files that they are in. */
  readonly files: number;
}

export interface GrepFilesResult extends GrepFacts {
  readonly files: readonly string[];
  readonly count: number;
}

export interface GrepCountsResult extends GrepFacts {
  readonly counts: readonly { readonly path: string; readonly count: number }[];
  /** Files counted. */
  readonly count: number;
}

/** What Grep gives back (spec 2.3). */
export type GrepResult = GrepContentResult | GrepFilesResult | GrepCountsResult;

export function createGrepTool({ limits }: DescriptionContext): Tool<GrepInput, GrepResult> {
  return {
    name: "Grep",
    description: grepDescription(limits),
    risk: "low",
    inputSchema: inputSchema(limits),
    outputSchema: OUTPUT_SCHEMA,
    execute: executeGrep,
  };
}

function inputSchema({ grepHeadLimit, search }: Limits): z.ZodType<GrepInput> {
  const count = z.number().int();
  return z.strictObject({
    pattern: z.string().describe("Regular expression in ripgrep's syntax, matched line by line."),
    path: z
      .string()
      .min(1)
      .optional()
      .describe("Folder or file to search (default: the workspace). An ignored one is searched when named."),
    include: z.string().min(1).optional().describe("Only files that match this glob: *.ts, *.{js,jsx}, src/**/*.py."),
    exclude: z.string().min(1).optional().describe("No files and folders that match this glob."),
    outputMode: z
      .enum(["content", "filesWithMatches", "count"])
      .meta({ synonyms: { files: "filesWithMatches", counts: "count", lines: "content" } })
      .optional()
      .describe("content (default): matching lines; filesWithMatches: paths only; count: matching lines of each file."),
    headLimit: count
      .min(1)
      .optional()
      .describe(`Most matches (files in the other modes) to return (default ${grepHeadLimit}).`),
    offset: count.min(0).optional().describe("How many of the first matches (files) to skip, to page on."),
    caseInsensitive: z.boolean().optional().describe("Ignore case."),
    literal: z.boolean().optional().describe("Take the pattern as plain text."),
    multiline: z.boolean().optional().describe("Let a match go over several lines."),
    before: count.min(0).max(search.maxLines).optional().describe("Lines to show before each match."),
    after: count.min(0).max(search.maxLines).optional().describe("Lines to show after each match."),
  });
}

const FACTS = {
  count: z.number().int(),
  truncated: z.boolean(),
  next: z.record(z.string(), z.unknown()).optional(),
  notice: z.string().optional(),
};

const MATCH = z.strictObject({
  path: z.string(),
  line: z.number().int(),
  text: z.string(),
  column: z.number().int().optional(),
  context: z.boolean().optional(),
});

const OUTPUT_SCHEMA: z.ZodType<GrepResult> = z.union([
  z.strictObject({
    matches: z.array(MATCH),
    tags: z.record(z.string(), z.string()),
    files: z.number().int(),
    ...FACTS,
  }),
  z.strictObject({ files: z.array(z.string()), ...FACTS }),
  z.strictObject({ counts: z.array(z.strictObject({ path: z.string(), count: z.number().int() })), ...FACTS }),
]) as z.ZodType<GrepResult>;

async function executeGrep(input: GrepInput, env: ToolEnv): Promise<GrepResult> {
  const { limits } = env.session;
  const { outputMode = "content", offset = 0, headLimit = limits.grepHeadLimit } = input;
  const pattern: PatternRequest = {
    pattern: input.pattern,
    literal: input.literal ?? false,
    ignoreCase: input.caseInsensitive ?? false,
    multiline: input.multiline ?? false,
  };
  // No result has more rows than its budget has lines; one more tells whether something was left out.
  const limit = Math.min(headLimit, limits.search.maxLines);
  const mode = outputMode === "content" ? "matches" : outputMode === "count" ? "counts" : "files";
  const searched = await withGrants(env, input.path ?? ".", "read", (request) => {
    const { include, exclude } = input;
    const filters = {
      include: include === undefined ? [] : [include],
      exclude: exclude === undefined ? [] : [exclude],
    };
    return searchFiles({ pattern, ...filters, mode, needed: offset + limit + 1 }, request, env);
  });
  const search = { input, ...searched, offset, limit };
  if (outputMode === "content") return contentResult(search, pattern, env);
  return outputMode === "count" ? countsResult(search, limits) : filesResult(search, limits);
}
