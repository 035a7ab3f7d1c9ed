// What was typed, before it means anything: command, words and flags.
import { parseArgs } from "node:util";

export const COMMANDS = [
  "demo",
  "run",
  "resume",
  "sessions",
  "clean",
  "config",
  "models",
  "tool",
  "mcp",
  "report",
] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface ParsedArguments {
  readonly command: CommandName;
  /** Words after the command. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean>>;
}

export type ParseOutcome =
  | { readonly kind: "command"; readonly parsed: ParsedArguments }
  | { readonly kind: "help"; readonly command?: CommandName }
  | { readonly kind: "version" }
  | { readonly kind: "wrong"; readonly message: string };

type FlagType = "string" | "boolean";

const MODEL_FLAGS = {
  model: "string",
  "base-url": "string",
  root: "string",
  mode: "string",
  "context-window": "string",
  "max-output-tokens": "string",
  json: "boolean",
} as const;

export const FLAGS: Readonly<Record<CommandName, Readonly<Record<string, FlagType>>>> = {
  demo: {},
  run: { ...MODEL_FLAGS, session: "string" },
  resume: MODEL_FLAGS,
  sessions: { json: "boolean" },
  clean: { "older-than": "string", all: "boolean" },
  config: MODEL_FLAGS,
  models: { json: "boolean" },
  tool: { root: "string" },
  mcp: { root: "string", http: "string", structured: "boolean", "max-timeout": "string", "print-config": "string" },
  report: { html: "string", json: "boolean", exact: "boolean", all: "boolean", root: "string" },
};

/** Fewest and most words after each command. */
const WORDS: Readonly<Record<CommandName, readonly [min: number, max: number, usage: string]>> = {
  demo: [0, 1, "spillway demo [folder]"],
  run: [1, 1, 'spillway run "task"'],
  resume: [0, 2, 'spillway resume [id] ["prompt"]'],
  sessions: [0, 0, "spillway sessions"],
  clean: [0, Number.POSITIVE_INFINITY, "spillway clean [id…]"],
  config: [0, 0, "spillway config"],
  models: [0, Number.POSITIVE_INFINITY, "spillway models [URL…]"],
  tool: [2, 2, `spillway tool NAME '{"json":"arguments"}'`],
  mcp: [0, 0, "spillway mcp"],
  report: [0, 1, "spillway report [session | file]"],
};

export function parseArguments(argv: readonly string[]): ParseOutcome {
  const [first, ...rest] = argv;
  if (first === undefined || first === "help" || first === "--help" || first === "-h") return { kind: "help" };
  if (first === "--version" || first === "-v") return { kind: "version" };
  const command = COMMANDS.find((name) => name === first);
  if (command === undefined) {
    const what = first.startsWith("-") ? "flag" : "command";
    return { kind: "wrong", message: `Unknown ${what} "${first}": ${suggestion(first, COMMANDS)}` };
  }
  if (rest.includes("--help") || rest.includes("-h")) return { kind: "help", command };
  return parseCommand(command, rest);
}

function parseCommand(command: CommandName, rest: readonly string[]): ParseOutcome {
  const types = FLAGS[command];
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const flags: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const problem = flagProblem(command, token);
    if (problem !== undefined) return { kind: "wrong", message: problem };
    flags[token.name] = token.value ?? true;
  }
  const [min, max, usage] = WORDS[command];
  if (words.length < min) return { kind: "wrong", message: `Too few words for "${command}": ${usage}` };
  if (words.length > max) {
    return { kind: "wrong", message: `Too many words for "${command}" from "${words[max]}" on: ${usage}` };
  }
  return { kind: "command", parsed: { command, words, flags } };
}

function flagProblem(
  command: CommandName,
  token: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
): string | undefined {
  const types = FLAGS[command];
  const type = Object.hasOwn(types, token.name) ? types[token.name] : undefined;
  if (type === undefined) {
    const names = Object.keys(types).map((name) => `--${name}`);
    const next = names.length === 0 ? `"${command}" takes none` : suggestion(token.rawName, names);
    return `Unknown flag "${token.rawName}" for "${command}": ${next}`;
  }
  if (type === "string" && (token.value === undefined || token.value === "")) {
    return `The flag "${token.rawName}" needs a value: ${token.rawName} VALUE`;
  }
  if (type === "boolean" && token.value !== undefined) {
    return `The flag "${token.rawName}" takes no value, not "${token.value}": leave it out`;
  }
  return undefined;
}

/** The nearest name, or all of them. */
function suggestion(typed: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, distance: editDistance(typed.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near !== undefined && near.distance <= Math.max(2, Math.floor(typed.length / 3)))
    return `did you mean "${near.name}"?`;
  return `use one of ${names.join(", ")}`;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
