import { stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { resolveLimits } from "@spillway/limits";
import { createWorkers } from "@spillway/tools";
import { loadConfig } from "../config.ts";
import { HostError } from "../error.ts";
import { type FoundSession, findSessions, sessionOfFile } from "../report/find-sessions.ts";
import { detectAgent } from "../report/formats.ts";
import { ownLimits } from "../report/limits-now.ts";
import { type LoadOptions, loadReport, sourceOf, type Transcript } from "../report/load.ts";
import { htmlReport } from "../report/page-html.ts";
import { createProgress } from "../report/progress.ts";
import { plural, terminalReport } from "../report/terminal.ts";
import { workspaceFolder } from "../workspace.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { settingFlags } from "./config.ts";
import { EXIT } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";
import { createPaint, formatBytes, oneLine } from "./style.ts";

/** Without a word it lists the sessions; with one it tells where that session's context went. Nothing but `--html` is written. */
export async function reportCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const [wanted] = parsed.words;
  const { config } = await loadConfig(settingFlags(parsed), context.environment);
  const root = await workspaceFolder(config.root);
  const all = parsed.flags.all === true;
  if (wanted === undefined) {
    const { html, exact } = parsed.flags;
    if (html !== undefined || exact === true)
      throw new RangeError(`Which session? spillway report SESSION ${html === undefined ? "--exact" : "--html FILE"}`);
    return listCommand(
      await findSessions({ environment: context.environment, ...(all ? {} : { root }) }),
      root,
      parsed,
      context,
    );
  }
  const transcript = await chooseTranscript(wanted, root, context.environment);
  return interruptible(context.stdout, (signal) =>
    showReport(transcript, parsed, { ...context, signal, own: ownLimits(resolveLimits(config.limits ?? {})) }),
  );
}

async function listCommand(
  sessions: readonly FoundSession[],
  root: string,
  parsed: ParsedArguments,
  { stdout }: CommandContext,
): Promise<number> {
  if (parsed.flags.json === true) {
    for (const { agent, id, modified, bytes, files } of sessions) {
      await stdout.line(JSON.stringify({ agent, id, modified, bytes, files: files.map(({ path }) => path) }));
    }
    return EXIT.done;
  }
  if (sessions.length === 0) {
    await stdout.line(
      parsed.flags.all === true
        ? "No session anywhere: a transcript's file can be named"
        : `No session of "${oneLine(root, 200)}": --all lists those of every folder, and a transcript's file can be named`,
    );
    return EXIT.done;
  }
  for (const { agent, id, modified, bytes } of sessions) {
    const when = modified.toISOString().slice(0, 16).replace("T", " ");
    await stdout.line(`${agent.padEnd(11)}  ${when}  ${formatBytes(bytes).padStart(8)}  ${oneLine(id, 200)}`);
  }
  await stdout.line(`\n${plural(sessions.length, "session")}; "spillway report ID" tells where its context went`);
  return EXIT.done;
}

async function chooseTranscript(
  wanted: string,
  root: string,
  environment: CommandContext["environment"],
): Promise<Transcript> {
  const path = resolve(wanted);
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile()) {
    const agent = await detectAgent(sourceOf(path));
    if (agent !== undefined) return sessionOfFile(agent, path);
    throw new RangeError(
      `"${wanted}" is no transcript that is known: name one of spillway, Claude Code, codex, pi, kimi-code or gemini-cli`,
    );
  }
  const here = matching(await findSessions({ environment, root }), wanted);
  const found = here.length > 0 ? here : matching(await findSessions({ environment }), wanted);
  const [only, second] = found;
  if (only === undefined) {
    throw new HostError("SESSION_NOT_FOUND", `There is no session and no file "${wanted}"`, {
      next: '"spillway report" lists the sessions of this folder',
    });
  }
  if (second !== undefined)
    throw new RangeError(`"${wanted}" begins ${found.length} sessions: "${only.id}", "${second.id}", …`);
  return only;
}

function matching(sessions: readonly FoundSession[], wanted: string): readonly FoundSession[] {
  const exact = sessions.filter(({ id }) => id === wanted);
  return exact.length > 0 ? exact : sessions.filter(({ id }) => id.startsWith(wanted));
}

async function showReport(
  transcript: Transcript,
  { flags }: ParsedArguments,
  context: CommandContext & { readonly signal: AbortSignal; readonly own: ReturnType<typeof ownLimits> },
): Promise<number> {
  const { stdout, stderr, environment, signal, own } = context;
  const progress = createProgress(stderr);
  const workers = flags.exact === true ? createWorkers() : undefined;
  const options: LoadOptions = {
    signal,
    onProgress: progress.show,
    ...(workers === undefined ? {} : { exact: (texts) => workers.run("countTokens", [...texts], { signal }) }),
  };
  try {
    const report = await loadReport(transcript, options);
    await progress.clear();
    if (typeof flags.html === "string") {
      await writePage(flags.html, htmlReport(report, own));
      await stderr.line(`Wrote "${oneLine(flags.html, 200)}"`);
    }
    if (flags.json === true) await stdout.line(JSON.stringify({ v: 1, ...report }));
    else if (flags.html === undefined)
      await stdout.write(terminalReport(report, own, createPaint(stdout.isTerminal, environment)));
    return EXIT.done;
  } finally {
    await progress.clear();
    await workers?.close();
  }
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writeFile(file, page);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RangeError(
      `Cannot write the page to "${oneLine(file, 200)}" (${reason}): name a file in a folder of yours`,
    );
  }
}
