import { byteLength, truncate } from "@spillway/limits";
import type { BashResult, StreamInfo } from "../bash.ts";
import type { Rendering } from "../tool.ts";

/** First how it ended, then stdout, stderr under its name, last the notice. */
export const bashRendering: Rendering<BashResult> = {
  text: (result) => {
    const stdout = withoutLastLineEnd(result.stdout);
    const stderr = withoutLastLineEnd(result.stderr);
    const blocks = [headline(result)];
    if (stdout !== "") blocks.push(stdout);
    if (stderr !== "") blocks.push("[stderr]", stderr);
    const isSilent = stdout === "" && stderr === "" && !(result.stdoutInfo.binary || result.stderrInfo.binary);
    if (isSilent && result.ended !== "spawn-failed") blocks.push("(no output)");
    if (result.notice !== undefined) blocks.push(result.notice);
    return blocks.join("\n");
  },
  size: (result) => charCount(result.stdout) + charCount(result.stderr),
  take: (result, maxChars) => {
    const outChars = charCount(result.stdout);
    const errChars = charCount(result.stderr);
    if (outChars + errChars <= maxChars) return result;
    // Each stream has half; what one does not need the other has.
    const half = Math.floor(maxChars / 2);
    const forErr = Math.min(errChars, Math.max(half, maxChars - outChars));
    const stdout = takeStream(result.stdout, result.stdoutInfo, Math.min(outChars, maxChars - forErr));
    const stderr = takeStream(result.stderr, result.stderrInfo, forErr);
    return {
      ...result,
      stdout: stdout.text,
      stderr: stderr.text,
      truncated: true,
      stdoutInfo: stdout.info,
      stderrInfo: stderr.info,
    };
  },
};

function headline(result: BashResult): string {
  const { id, logPath, endedProcesses } = result;
  const facts = [`${howItEnded(result)}, ${seconds(result.durationMs)}`];
  if (endedProcesses > 0) facts.push(`${endedProcesses} ${endedProcesses === 1 ? "process" : "processes"} ended`);
  if (logPath !== undefined) facts.push(`log ${logPath}`);
  return `${id === undefined ? "" : `Background command ${id}: `}${facts.join("; ")}`;
}

function howItEnded({ ended, exitCode, signal }: BashResult): string {
  if (ended === "exit") return `exit code ${exitCode}`;
  if (ended === "running") return "running";
  if (ended === "spawn-failed") return "not started";
  const how = { signal: "ended by", timeout: "timed out, ended by", abort: "aborted, ended by" }[ended];
  return `${how} ${signal}`;
}

function seconds(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** A stream's text cut to `maxChars`, with a marker and numbers that say so. */
function takeStream(text: string, info: StreamInfo, maxChars: number): { text: string; info: StreamInfo } {
  if (charCount(text) <= maxChars) return { text, info };
  const body = shownPart(text, info);
  const { totalBytes, totalLines, spillPath } = info;
  const taken = info.kept === "tail" ? lastChars(body, maxChars) : firstChars(body, maxChars);
  const cut = truncate(
    body,
    { maxBytes: Math.max(1, byteLength(taken)), maxLines: Math.max(1, info.keptLines), keep: info.kept },
    {
      ...(spillPath !== undefined && { spillPath }),
      isPiece: info.keptLines === 0 && info.keptBytes < totalBytes,
      capture: {
        keptBytes: info.capturedBytes ?? totalBytes,
        keptLines: info.capturedLines ?? totalLines,
        totalBytes,
        totalLines,
      },
    },
  );
  return { text: cut.text, info: { ...info, keptBytes: cut.keptBytes, keptLines: cut.keptLines } };
}

/** The text without its marker, by the numbers that came with it. */
function shownPart(text: string, { kept, keptBytes }: StreamInfo): string {
  const bytes = Buffer.from(text);
  if (kept === "both" || keptBytes >= bytes.length) return text;
  return (kept === "tail" ? bytes.subarray(bytes.length - keptBytes) : bytes.subarray(0, keptBytes)).toString("utf8");
}

function firstChars(text: string, count: number): string {
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left--) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

function lastChars(text: string, count: number): string {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) {
    start -= start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(start);
}

function charCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
