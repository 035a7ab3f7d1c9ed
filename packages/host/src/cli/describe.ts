// One line of a person's language for a call and for what it came to.
import type { CallOutcome } from "../event.ts";
import { formatBytes } from "./style.ts";

/** `Read src/a.ts`, `Grep "x" in src`, `$ npm test`. */
export function describeCall(toolName: string, args: unknown): string {
  const field = (name: string): string | undefined => {
    const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const named = (name: string, prefix: string, suffix = ""): string => {
    const value = field(name);
    return value === undefined ? `${toolName} (arguments that cannot be read)` : `${prefix}${value}${suffix}`;
  };
  switch (toolName) {
    case "Bash":
      return field("id") === undefined ? named("command", "$ ") : `Bash ${field("action")} ${field("id")}`;
    case "Grep":
    case "Glob": {
      const where = field("path");
      return named("pattern", `${toolName} "`, `"${where === undefined ? "" : ` in ${where}`}`);
    }
    case "Read": {
      const from = field("offset");
      return named("path", "Read ", from === undefined ? "" : ` from ${from}`);
    }
    case "Write":
    case "Edit":
      return named("path", `${toolName} `);
    default:
      return toolName;
  }
}

/** Size and what was left out, or the failure. */
export function describeOutcome(outcome: CallOutcome, durationMs: number): string {
  if ("text" in outcome) return countLines(outcome.text);
  if (!outcome.ok) {
    const result = "result" in outcome ? outcome.result : undefined;
    const failure = `${outcome.error.code}: ${withoutNext(outcome.error)}`;
    return result === undefined ? failure : `${describeCommand(result, durationMs)} (${outcome.error.code})`;
  }
  if (!("result" in outcome)) return "";
  switch (outcome.tool) {
    case "Read": {
      const { lineCount, totalLines, fileBytes, truncated } = outcome.result;
      const part =
        lineCount === totalLines ? plural(totalLines, "line") : `${lineCount} of ${plural(totalLines, "line")}`;
      return `${part}, ${formatBytes(fileBytes)} file${truncated ? ", cut short" : ""}`;
    }
    case "Grep":
      return `${plural(outcome.result.count, "match", "matches")}${outcome.result.truncated ? ", there are more" : ""}`;
    case "Glob":
      return `${plural(outcome.result.count, "file")}${outcome.result.truncated ? ", there are more" : ""}`;
    case "Bash":
      return describeCommand(outcome.result, durationMs);
    case "Write":
      return `${outcome.result.created ? "created" : "overwritten"}, ${formatBytes(outcome.result.bytes)}`;
    case "Edit":
      return `+${outcome.result.added} -${outcome.result.removed}`;
  }
}

type CommandResult = Extract<CallOutcome, { ok: true; tool: "Bash"; result: unknown }>["result"];

function describeCommand(result: CommandResult, durationMs: number): string {
  const { ended, exitCode, signal, stdoutInfo, stderrInfo, endedProcesses, id } = result;
  const ways = {
    exit: `exit ${exitCode}`,
    signal: `signal ${signal}`,
    "spawn-failed": "did not start",
    running: "running",
  };
  const how = ended === "timeout" || ended === "abort" ? `ended by ${ended}` : ways[ended];
  const total = stdoutInfo.totalBytes + stderrInfo.totalBytes;
  const kept = stdoutInfo.keptBytes + stderrInfo.keptBytes;
  const cut = result.truncated ? `${formatBytes(kept)} of ${formatBytes(total)} kept` : formatBytes(total);
  const spill = stdoutInfo.spillPath ?? stderrInfo.spillPath;
  return [
    id === undefined ? how : `${how} in the background as ${id}`,
    ...(id === undefined ? [formatDuration(durationMs), cut] : []),
    ...(endedProcesses > 0 ? [`${plural(endedProcesses, "process", "processes")} ended`] : []),
    ...(spill === undefined ? [] : [`more in ${spill}`]),
  ].join(", ");
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** What went wrong, without what the model is told to do next. */
function withoutNext({ message, next }: { readonly message: string; readonly next?: string }): string {
  const suffix = `: ${next}`;
  return message.endsWith(suffix) ? message.slice(0, -suffix.length) : message;
}

function countLines(text: string): string {
  return plural(text === "" ? 0 : text.split("\n").length, "line");
}

function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
