import { type Budget, estimateTokens, type Limits } from "@spillway/limits";
import type { CommandEnd } from "../shell.ts";
import type { SpillStore } from "../spill.ts";
import { nameList } from "./describe-process.ts";
import type { Sink, SinkOutcome } from "./sink.ts";

/** What is known of one output stream. Bytes and lines are those of the raw stream, but for the kept ones, which are those shown. */
export interface StreamInfo {
  /** The end that is shown when something is left out. */
  readonly kept: Budget["keep"];
  readonly keptBytes: number;
  readonly keptLines: number;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** Bytes of control sequences and overwritten text that are not shown. */
  readonly foldedBytes?: number;
  /** It is no text, so nothing of it is shown. */
  readonly binary?: true;
  /** What of the raw stream was kept while the command ran, and is in the spill; absent when that is all of it. */
  readonly capturedBytes?: number;
  readonly capturedLines?: number;
  /** The fuller copy, when one was needed and could be written. */
  readonly spillPath?: string;
}

export interface BashResult {
  readonly stdout: string;
  readonly stderr: string;
  /** null unless the shell exited by itself. */
  readonly exitCode: number | null;
  /** The signal that ended the shell, by itself or after a timeout or an abort. */
  readonly signal: string | null;
  readonly ended: "exit" | "signal" | "timeout" | "abort" | "spawn-failed" | "running";
  readonly durationMs: number;
  /** Something of stdout or stderr is left out; the marker in it says what. */
  readonly truncated: boolean;
  readonly stdoutInfo: StreamInfo;
  readonly stderrInfo: StreamInfo;
  /** Processes that had to be ended: the command's tree, or what it left behind. */
  readonly endedProcesses: number;
  /** Of a background command. */
  readonly id?: string;
  /** Of a background command: the first file of its log. */
  readonly logPath?: string;
  readonly notice?: string;
}

export interface Output {
  readonly stdout: Sink;
  readonly stderr: Sink;
}

export interface ResultContext {
  readonly limits: Pick<Limits, "shell" | "shellErr" | "resultMaxChars" | "resultMaxTokens" | "errorMaxChars">;
  readonly spill: Pick<SpillStore, "save">;
  readonly daemons: "end" | "keep";
}

/** The result of a command that ran to an end: output within the budgets, the rest spilled. */
export async function commandResult(end: CommandEnd, output: Output, context: ResultContext): Promise<BashResult> {
  const streams = {
    stdout: output.stdout.finish(context.limits.shell),
    stderr: output.stderr.finish(context.limits.shellErr),
  };
  const cut = isCutAgain(end, [streams.stdout, streams.stderr], context.limits);
  const [stdout, stderr] = await Promise.all([
    shownStream("stdout", streams.stdout, cut, context),
    shownStream("stderr", streams.stderr, cut, context),
  ]);
  const notice = [
    binaryNotice("stdout", stdout.info),
    binaryNotice("stderr", stderr.info),
    endNotice(end, context.daemons),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: end.exitCode,
    signal: end.signal,
    ended: end.ended,
    durationMs: Math.round(end.durationMs),
    truncated: stdout.truncated || stderr.truncated,
    stdoutInfo: stdout.info,
    stderrInfo: stderr.info,
    endedProcesses: end.endedProcesses,
    ...(notice !== "" && { notice }),
  };
}

/** A command whose shell could not be started. */
export function failedSpawnResult(): BashResult {
  const nothing = { keptBytes: 0, keptLines: 0, totalBytes: 0, totalLines: 0 };
  return {
    stdout: "",
    stderr: "",
    exitCode: null,
    signal: null,
    ended: "spawn-failed",
    durationMs: 0,
    truncated: false,
    stdoutInfo: { kept: "head", ...nothing },
    stderrInfo: { kept: "tail", ...nothing },
    endedProcesses: 0,
  };
}

/** What the model should know of processes beyond the shell; empty when there is nothing. */
export function endNotice({ leftovers, daemons, survivors }: CommandEnd, policy: "end" | "keep"): string {
  const sentences: string[] = [];
  if (leftovers.length > 0) {
    sentences.push(
      `Ended what the command had left running: ${nameList(leftovers)}. To keep a program running, start it with background: true.`,
    );
  }
  if (daemons.length > 0) {
    const fate = policy === "keep" ? "it is not ended with the session" : "it is ended when the session closes";
    sentences.push(`Still running outside of the call: ${nameList(daemons)}; ${fate}.`);
  }
  if (survivors.length > 0) sentences.push(`Could not be ended: ${nameList(survivors)}.`);
  return sentences.join(" ");
}

function binaryNotice(name: string, { binary, totalBytes, capturedBytes, spillPath }: StreamInfo): string {
  if (binary !== true) return "";
  const part = capturedBytes === undefined ? "it was" : `${capturedBytes} bytes of it were`;
  const saved = spillPath === undefined ? "" : `; ${part} saved to ${spillPath}`;
  return `${name} is no text (${totalBytes} bytes) and is not shown${saved}. Read it if it is text in another encoding, or look at it with a program like file or xxd.`;
}

interface ShownStream {
  readonly text: string;
  readonly truncated: boolean;
  readonly info: StreamInfo;
}

/** Characters of a result that are not the command's: how it ended, names, markers, notices. */
const FACTS_CHARS = 1_200;
const FACTS_TOKENS = 400;

/** Whether a cap of the whole text will leave out more than the streams' own budgets do: that has to be saved as well. */
function isCutAgain(end: CommandEnd, streams: readonly SinkOutcome[], limits: ResultContext["limits"]): boolean {
  const { resultMaxChars, resultMaxTokens, errorMaxChars = resultMaxChars } = limits;
  if (resultMaxChars === undefined && resultMaxTokens === undefined && errorMaxChars === undefined) return false;
  const text = streams.map((stream) => stream.show().text).join("\n");
  const failed = end.ended !== "exit" || end.exitCode !== 0;
  const maxChars = failed ? errorMaxChars : resultMaxChars;
  if (maxChars !== undefined && text.length > maxChars - FACTS_CHARS) return true;
  return resultMaxTokens !== undefined && estimateTokens(text) > resultMaxTokens - FACTS_TOKENS;
}

async function shownStream(
  label: string,
  outcome: SinkOutcome,
  cut: boolean,
  { spill }: ResultContext,
): Promise<ShownStream> {
  const { totalBytes, totalLines, foldedBytes, truncated, captured } = outcome;
  const isSaved = truncated || (cut && totalBytes > 0);
  const spillPath = isSaved ? await spill.save(label, outcome.raw) : undefined;
  const { text, keptBytes, keptLines } = outcome.show(spillPath);
  const dropped = captured.bytes < totalBytes || captured.lines < totalLines;
  const info: StreamInfo = {
    kept: outcome.kept,
    keptBytes,
    keptLines,
    totalBytes,
    totalLines,
    ...(foldedBytes > 0 && { foldedBytes }),
    ...(outcome.binary && { binary: true as const }),
    ...(dropped && { capturedBytes: captured.bytes, capturedLines: captured.lines }),
    ...(spillPath !== undefined && { spillPath }),
  };
  return { text, truncated, info };
}
