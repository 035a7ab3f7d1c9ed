import type { CommandName } from "./arguments.ts";

const MODEL_FLAGS = `  --model PROVIDER/MODEL           anthropic/…, openai/… (keys: ANTHROPIC_API_KEY, OPENAI_API_KEY), or demo
  --base-url URL --model NAME      any OpenAI-compatible server (key, if it wants one: SPILLWAY_API_KEY)
  --root DIR                       the workspace, by default this folder
  --mode ask|accept-edits|auto     what runs without a question; ask by default
  --context-window TOKENS          what the model takes; --max-output-tokens TOKENS: what one answer may have`;
const JSON_FLAG = `  --json                           events as JSON lines on standard output`;

const HELP = `spillway — a coding agent whose tool results are bounded

  spillway demo [folder]           a scripted walk over your folder: no key, no network, nothing is written into it
  spillway run "task"              let a model work on a task; "-" reads the task from standard input
  spillway resume [id] ["prompt"]  go on with a session, the newest by default
  spillway sessions                list the sessions
  spillway clean [id…]             remove sessions: those named, or those older than 30 days
  spillway config                  show every setting and where it comes from
  spillway models                  model servers on this machine, what their models take, and the flags to use them
  spillway tool NAME JSON          one tool call; the outcome as JSON; "-" reads the arguments from standard input
  spillway mcp                     the tools for an MCP client, over standard input and output or --http PORT
  spillway report [session|file]   where the context of a session went, of this and other agents; --html FILE: a page

Flags of run and resume
${MODEL_FLAGS}
  --session ID                     run: go on with that session, or begin it under that name
${JSON_FLAG}

Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 interrupted, 141 the reader of the output went away, 143 terminated.
Ctrl-C stops the turn; twice leaves at once. "spillway COMMAND --help" says more about one command.
`;

const DETAILS: Readonly<Record<CommandName, string>> = {
  demo: `spillway demo [folder]

A scripted model, no AI, drives the real loop and the real tools over the folder (by default this one): reads and a
search side by side, a command with more output than fits, a background process that is cleaned up, a checkpoint, a stop.
Nothing is written into the folder. The session stays in the data folder; "spillway clean ID" removes it.
`,
  run: `spillway run "task" [flags]

Runs until the model is done. What the mode does not allow is asked for on the terminal; without one it is denied.
On a terminal: text as it comes, a line per tool call with size and what was cut. Elsewhere: plain lines. With --json: one
event a line. Exit code 0 when the model is done, 1 when the run failed or stopped half-way.

${MODEL_FLAGS}
  --session ID                     go on with that session, or begin it under that name
${JSON_FLAG}
`,
  resume: `spillway resume [id] ["prompt"] [flags]

Goes on with a session. Without a prompt an interrupted turn is continued: calls that had begun to change something are
never run again, the rest is. With a prompt the interrupted calls get their result and the prompt follows.
The workspace is that of the session unless --root names another one.

${MODEL_FLAGS}
${JSON_FLAG}
`,
  sessions: `spillway sessions [--json]

Lists the sessions, newest first: id, age, size, folder, first prompt.
`,
  clean: `spillway clean [id…] [--older-than DAYS] [--all]

Removes the named sessions with what they saved, or all older than DAYS (30), or all. A session in use stays.
`,
  config: `spillway config [--json] [flags]

Every setting, its value, and where it comes from: flag, environment variable, file, default. Flags are those of run:
--model, --base-url, --root, --mode, --context-window, --max-output-tokens.
The file is $SPILLWAY_HOME/config.json, else $XDG_CONFIG_HOME/spillway/config.json (~/.config/spillway/config.json).
`,
  report: `spillway report [session | file] [--html FILE] [--json] [--exact] [--all] [--root DIR]

Where did the context go? Without a word: the sessions of this folder (--all: of every folder) of spillway, Claude Code, codex,
pi, kimi-code and gemini-cli. With a session's id, its beginning, or a transcript's file: by tool, file and turn what results
cost, how often they were sent again, what was read twice, what was cut, and what limits would have saved.
--html writes one page that opens from the disk, --json prints everything for machines, --exact counts tokens instead of
estimating them. Transcripts are only read; what was said in them is never printed.
`,
  models: `spillway models [URL…] [--json]

Looks for Ollama, LM Studio, llama.cpp and vLLM where they usually listen on this machine (or at the URLs given), and prints
each model with the tokens it takes as its server runs now, and the flags to use it. Nothing else is asked, nothing is loaded.
run and resume ask the server behind --base-url the same, unless --context-window says it.
`,
  mcp: `spillway mcp [--root DIR] [--http [HOST:]PORT] [--structured] [--max-timeout SECONDS] [--print-config CLIENT]

Serves Read, Glob, Grep, Bash, Write and Edit inside DIR to an MCP client, over standard input and output: clients start it
themselves. Your client asks you before a call, not this command. It ends with its client, and every command with it.
--http PORT listens on 127.0.0.1 at /mcp instead; another HOST needs a token in SPILLWAY_MCP_TOKEN, which clients then send.
--structured gives results as data too; clients that get both show the model the data alone.
--max-timeout SECONDS lets a command run for more than 50 s: for a client that waits for a call at least ten seconds longer.
--print-config CLIENT prints what claude-code, claude-desktop, vscode, cursor, codex or gemini-cli need to know.
`,
  tool: `spillway tool NAME JSON [--root DIR]

One call of a tool inside DIR, by default this folder, with your own authority: no question is asked, and files that hold
secrets are shown. Prints the outcome as JSON and nothing else. Exit code 0 when the call succeeded, 1 when it did not.
JSON holds the arguments; "-" reads them from standard input: spillway tool Read '{"path":"package.json","limit":20}'

  Read   path; offset, limit, maxChars, column, encoding
  Glob   pattern; path, limit, offset
  Grep   pattern; path, include, exclude, outputMode, headLimit, offset, caseInsensitive, literal, multiline, before, after
  Bash   command; timeout, cwd, env (background, and id with action: only in a session)
  Write  path, content; overwrite
  Edit   path, tag, ops

Each call is a session of its own. Nothing was shown in it before: Edit refuses its tag (only run and mcp have the session that it
needs), Write wants "overwrite": true for a file that is there, and Bash starts nothing in the background.
`,
};

export function helpFor(command: CommandName | undefined): string {
  return command === undefined ? HELP : DETAILS[command];
}
