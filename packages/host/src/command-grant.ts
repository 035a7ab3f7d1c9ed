/** What a yes "for the session" to a command covers: its program and first word, or this very call. */
export interface CommandGrant {
  /** Program and first argument, for a plain command only. */
  readonly words?: readonly [program: string, first: string] | readonly [program: string];
  /** The call itself: command, working directory and variables. */
  readonly call: string;
  readonly cwd?: string;
}

/** Programs that run what their arguments say, or that destroy what they name: a first word says nothing about the rest. */
const EXACT_ONLY: ReadonlySet<string> = new Set(
  (
    "bash sh dash zsh ksh fish env sudo doas su xargs time nohup timeout nice ionice setsid stdbuf watch eval exec command " +
    "builtin source . find fd parallel ssh scp rsync curl wget node deno bun python python2 python3 perl ruby php awk gawk " +
    "sed ed vi vim tee rm rmdir unlink shred mv cp ln dd install truncate chmod chown chgrp kill pkill killall docker podman"
  ).split(" "),
);

// What could make a second command or a computed word, inside quotes or not: being asked once more is cheap.
const SHELL_SYNTAX = /[;&|<>()$`\\\n\r]/;
const SUBCOMMAND = /^[A-Za-z][A-Za-z0-9:_-]*$/;
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

export function commandGrant(args: unknown): CommandGrant {
  const { command, cwd, env } = bashFields(args);
  const call = JSON.stringify(command === undefined ? [args] : [command, cwd ?? null, env ?? null]);
  const words = command === undefined || env !== undefined ? undefined : plainWords(command);
  return { call, ...(words === undefined ? {} : { words }), ...(cwd === undefined ? {} : { cwd }) };
}

/** Whether the grant covers a call with these arguments. */
export function covers(grant: CommandGrant, args: unknown): boolean {
  const asked = commandGrant(args);
  if (asked.call === grant.call) return true;
  if (grant.words === undefined || asked.words === undefined || grant.cwd !== asked.cwd) return false;
  return grant.words.length === asked.words.length && grant.words.every((word, index) => word === asked.words?.[index]);
}

function plainWords(command: string): CommandGrant["words"] {
  const text = command.trim();
  if (SHELL_SYNTAX.test(text)) return undefined;
  const [program, first] = text.split(/[ \t]+/);
  if (program === undefined || !PROGRAM.test(program) || EXACT_ONLY.has(program)) return undefined;
  if (first === undefined) return [program];
  return SUBCOMMAND.test(first) ? [program, first] : undefined;
}

function bashFields(args: unknown): { command?: string; cwd?: string; env?: unknown } {
  if (typeof args !== "object" || args === null) return {};
  const { command, cwd, env } = { command: undefined, cwd: undefined, env: undefined, ...args };
  return {
    ...(typeof command === "string" ? { command } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(env === undefined ? {} : { env }),
  };
}
