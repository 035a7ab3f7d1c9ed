// What the demo model says next, derived from the prompt alone: the same prompt gives the same answer, also in another process.

/** What the script can see of a prompt. */
export interface DemoPrompt {
  /** Texts of all messages, oldest first, results and summaries included. */
  readonly texts: readonly string[];
  /** The newest result of each tool, by tool name. */
  readonly results: ReadonlyMap<string, string>;
  /** The newest message is a person's, not a tool's. */
  readonly endsWithUser: boolean;
}

export interface DemoCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface DemoAction {
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

export const DEMO_STEPS = 6;
export const DEMO_LAST_PROMPT = "I stopped you. What did you do, and is anything still running?";

/** The task of the walk; `folder` (relative) is where it looks around, by default everywhere. */
export function demoPrompt(folder?: string): string {
  const where = folder === undefined ? "this folder" : `the folder ${JSON.stringify(folder)}`;
  return `Look around in ${where}, run a noisy command, start a server, then wait.`;
}

/** A command that prints about 470 KB. */
const NOISY_COMMAND = `seq -f "line %06.0f of a build log that nobody wants in full" 1 9000`;
/** Lines of its end that are read back: about 3 500 tokens, more than the window has left, so that a checkpoint comes also where it is known. */
const SPILL_LINES = 250;
const SERVER_COMMAND = `echo "serving as process $$"; exec sleep 300`;
const ENDLESS_COMMAND = `echo "waiting ten minutes"; sleep 600`;

export function nextAction(prompt: DemoPrompt): DemoAction {
  const done = stepsDone(prompt.texts);
  const step = done + 1;
  const say = (text: string, ...calls: DemoCall[]): DemoAction => ({
    text: `Demo step ${step} of ${DEMO_STEPS}: ${text}`,
    calls,
  });
  switch (step) {
    case 1:
      return say("I am a script, not an AI. First, what is in this folder?", {
        tool: "Glob",
        args: { pattern: "**/*", limit: 40, ...inFolder(prompt) },
      });
    case 2:
      return lookAtFiles(prompt, say);
    case 3:
      return say("a command that prints far more than fits.", { tool: "Bash", args: { command: NOISY_COMMAND } });
    case 4:
      return readSpill(prompt, say);
    case 5:
      return say("something that stays in the background.", {
        tool: "Bash",
        args: { command: SERVER_COMMAND, background: true },
      });
    case 6:
      return say("a command that takes ten minutes. Stop me.", {
        tool: "Bash",
        args: { command: ENDLESS_COMMAND, timeout: 900 },
      });
    default:
      return { text: closingWords(prompt), calls: [] };
  }
}

/** The summary of a scripted checkpoint: what the next step needs, nothing else. */
export function summarize(prompt: DemoPrompt): string {
  const spill = spillPath(prompt.texts);
  return [
    `Demo step ${stepsDone(prompt.texts)} of ${DEMO_STEPS} is behind us.`,
    ...(spill === undefined ? [] : [`The full output of the noisy command was saved to ${spill} — still there.`]),
  ].join(" ");
}

function stepsDone(texts: readonly string[]): number {
  const steps = texts.flatMap((text) => [...text.matchAll(/Demo step (\d+) of 6\b/g)].map((match) => Number(match[1])));
  return Math.min(DEMO_STEPS, Math.max(0, ...steps));
}

function inFolder({ texts }: DemoPrompt): { path?: string } {
  const quoted = texts.flatMap((text) => /Look around in the folder ("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? []).at(-1);
  return quoted === undefined ? {} : { path: String(JSON.parse(quoted)) };
}

type Say = (text: string, ...calls: DemoCall[]) => DemoAction;

const READABLE =
  /\.(?:md|txt|json|ya?ml|toml|[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|sh|html|css|sql)$/i;
const FILES_TO_READ = 3;

function lookAtFiles(prompt: DemoPrompt, say: Say): DemoAction {
  const lines = (prompt.results.get("Glob") ?? "").split("\n").map((line) => line.trim());
  const files = lines.filter((line) => READABLE.test(line) && !line.startsWith("[")).slice(0, FILES_TO_READ);
  const search = { tool: "Grep", args: { pattern: "the|import|function", headLimit: 30, ...inFolder(prompt) } };
  if (files.length === 0) return say("nothing to read here, so only a search.", search);
  const reads = files.map((path) => ({ tool: "Read", args: { path } }));
  return say(
    `${files.length === 1 ? "one file" : `${files.length} files`} and a search, side by side.`,
    ...reads,
    search,
  );
}

function readSpill(prompt: DemoPrompt, say: Say): DemoAction {
  const path = spillPath(prompt.texts);
  if (path === undefined) {
    return say("no file with the rest of the output was named, so I ask the command for its end.", {
      tool: "Bash",
      args: { command: `${NOISY_COMMAND} | tail -n 5` },
    });
  }
  return say("the output was cut; its end is in the file the marker names.", {
    tool: "Read",
    args: { path, offset: -SPILL_LINES },
  });
}

function spillPath(texts: readonly string[]): string | undefined {
  return texts.flatMap((text) => [...text.matchAll(/saved to (.+?) —/g)].map((match) => match[1])).at(-1);
}

function closingWords(prompt: DemoPrompt): string {
  const wasStopped = prompt.endsWithUser && /\baborted\b/i.test(prompt.results.get("Bash") ?? "");
  return wasStopped
    ? "You stopped me while I waited. The stopped command has its result, so this conversation is still valid. I am a script: nothing here was thought."
    : "That was the walk. I am a script: nothing here was thought.";
}
