// The only importer of web-tree-sitter. Runs in worker threads; a thread loads each grammar once.
import { createRequire } from "node:module";
import { extname } from "node:path";
import type { Language, Parser, Tree } from "web-tree-sitter";

export interface Grammar {
  /** How a user knows it. */
  readonly name: string;
  /** The packages that must be installed for it. */
  readonly packages: readonly string[];
  readonly wasm: string;
  /** Put around the text so that it is a program of the grammar; none holds a line break in front of the text. */
  readonly wrap?: readonly [before: string, after: string];
}

/** A parsed text; `close` frees the memory of the parser's module. */
export interface Parsed {
  readonly tree: Tree;
  /** Columns that the wrapping adds to row 0. */
  readonly shift: number;
  close(): void;
}

const RUNTIME = "web-tree-sitter";
const BUNDLE = "@vscode/tree-sitter-wasm";

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  rust: bundled("rust"),
  typescript: bundled("typescript"),
  tsx: bundled("tsx"),
  javascript: bundled("javascript"),
  // An object in parentheses is an expression; comments and trailing commas come for free.
  json: { ...bundled("javascript"), name: "json", wrap: ["(", "\n)"] },
  css: bundled("css"),
  python: bundled("python"),
  bash: bundled("bash"),
  go: bundled("go"),
  java: bundled("java"),
  cpp: bundled("cpp"),
  csharp: bundled("c-sharp"),
  php: bundled("php"),
  ruby: bundled("ruby"),
  html: separate("html", "tree-sitter-html"),
  toml: separate("toml", "@tree-sitter-grammars/tree-sitter-toml"),
  yaml: separate("yaml", "@tree-sitter-grammars/tree-sitter-yaml"),
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  rs: "rust",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  json: "json",
  jsonc: "json",
  css: "css",
  py: "python",
  pyi: "python",
  sh: "bash",
  bash: "bash",
  go: "go",
  java: "java",
  c: "cpp",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  cs: "csharp",
  php: "php",
  rb: "ruby",
  html: "html",
  htm: "html",
  toml: "toml",
  yaml: "yaml",
  yml: "yaml",
};

/** The grammar for a file's name; undefined for an unknown language. */
export function grammarFor(path: string): Grammar | undefined {
  const name = EXTENSIONS[extname(path).slice(1).toLowerCase()];
  return name === undefined ? undefined : GRAMMARS[name];
}

/** Parses a text; undefined where the grammar's packages are not installed. */
export async function parseText(
  grammar: Grammar,
  text: string,
  cancelled: () => boolean,
): Promise<Parsed | "cancelled" | undefined> {
  const loaded = await load(grammar);
  if (loaded === undefined) return undefined;
  const [before, after] = grammar.wrap ?? ["", ""];
  const parser = loaded.createParser();
  const tree = parser.parse(before + text + after, null, { progressCallback: cancelled });
  const close = (): void => {
    tree?.delete();
    parser.delete();
  };
  if (tree !== null) return { tree, shift: before.length, close };
  close();
  return "cancelled";
}

interface Loaded {
  createParser(): Parser;
}

const languages = new Map<string, Promise<Loaded | undefined>>();

function load(grammar: Grammar): Promise<Loaded | undefined> {
  const known = languages.get(grammar.wasm);
  if (known !== undefined) return known;
  const loading = loadNow(grammar);
  languages.set(grammar.wasm, loading);
  return loading;
}

async function loadNow({ wasm }: Grammar): Promise<Loaded | undefined> {
  const file = installedFile(wasm);
  if (file === undefined || installedFile(`${RUNTIME}/${RUNTIME}.wasm`) === undefined) return undefined;
  const treeSitter = await import("web-tree-sitter");
  await treeSitter.Parser.init();
  const language: Language = await treeSitter.Language.load(file);
  return {
    createParser: () => {
      const parser = new treeSitter.Parser();
      parser.setLanguage(language);
      return parser;
    },
  };
}

function installedFile(specifier: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(specifier);
  } catch {
    // Not installed: the caller says which packages are missing.
    return undefined;
  }
}

function bundled(name: string): Grammar {
  return { name, packages: [RUNTIME, BUNDLE], wasm: `${BUNDLE}/wasm/tree-sitter-${name}.wasm` };
}

function separate(name: string, pack: string): Grammar {
  return { name, packages: [RUNTIME, pack], wasm: `${pack}/tree-sitter-${name}.wasm` };
}
