// The script's session in the form of each agent's transcript, as lines. No real session was used: the fields are those
// that the agents are known to write.
import type { AgentName } from "../../../src/report/fact.ts";
import { CWD, type ScriptCall, type ScriptEvent, SESSION_ID } from "./script.ts";

type Line = Readonly<Record<string, unknown>>;
type Numbered = ScriptCall & { readonly id: string };
const TIME = "2026-03-01T10:00:00.000Z";

export const TOOLS: Readonly<Record<AgentName, Readonly<Record<ScriptCall["kind"], string>>>> = {
  spillway: { read: "Read", search: "Grep", command: "Bash" },
  "claude-code": { read: "Read", search: "Grep", command: "Bash" },
  codex: { read: "read_file", search: "grep", command: "exec_command" },
  pi: { read: "read", search: "grep", command: "bash" },
  "kimi-code": { read: "Read", search: "Grep", command: "Bash" },
  "gemini-cli": { read: "read_file", search: "search_file_content", command: "run_shell_command" },
};

function argsOf(call: ScriptCall): Line {
  if (call.kind === "read") return { path: call.about, file_path: call.about };
  return call.kind === "search" ? { pattern: call.about } : { command: call.about };
}

/** Lines of the transcript, each a JSON object. */
export function transcriptLines(agent: AgentName, events: readonly ScriptEvent[]): string[] {
  let number = 0;
  const numbered = (calls: readonly ScriptCall[]): Numbered[] =>
    calls.map((call) => ({ ...call, id: `call-${++number}` }));
  const writer = WRITERS[agent];
  const lines = [
    ...writer.head(),
    ...events.flatMap((event, index) => {
      const id = `e${index}`;
      if (event.type === "prompt") return writer.prompt(event.text, id);
      if (event.type === "compaction") return writer.compaction(event.summary, id);
      return writer.answer({ ...event, calls: numbered(event.calls), id });
    }),
  ];
  return withParents(agent, lines).map((line) => JSON.stringify(line));
}

/** Entries of pi hang on each other. */
function withParents(agent: AgentName, lines: readonly Line[]): Line[] {
  if (agent !== "pi") return [...lines];
  let parentId: unknown = null;
  return lines.map((line) => {
    if (line.type === "session") return line;
    const entry = { ...line, parentId };
    parentId = line.id;
    return entry;
  });
}

interface Answer {
  readonly id: string;
  readonly text: string;
  readonly inputTokens: number;
  readonly calls: readonly Numbered[];
}

interface Writer {
  head(): Line[];
  prompt(text: string, id: string): Line[];
  answer(answer: Answer): Line[];
  compaction(summary: string, id: string): Line[];
}

const claude = (type: string, more: Line): Line => ({
  type,
  sessionId: SESSION_ID,
  cwd: CWD,
  timestamp: TIME,
  isSidechain: false,
  ...more,
});
const journal = (t: string, id: string, more: Line): Line => ({ v: 1, id, ts: TIME, t, ...more });
const item = (payload: Line): Line => ({ timestamp: TIME, type: "response_item", payload });
const loop = (event: Line): Line => ({ type: "context.append_loop_event", time: 1, event });

let newestJournalId = "session";

const WRITERS: Readonly<Record<AgentName, Writer>> = {
  "claude-code": {
    head: () => [{ type: "file-history-snapshot", messageId: "m", snapshot: {} }],
    prompt: (text, id) => [claude("user", { uuid: id, message: { role: "user", content: text } })],
    answer: ({ id, text, inputTokens, calls }) => {
      const usage = {
        input_tokens: 10,
        cache_read_input_tokens: inputTokens - 30,
        cache_creation_input_tokens: 20,
        output_tokens: 50,
      };
      const blocks = [
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...calls.map((call) => ({
          type: "tool_use",
          id: call.id,
          name: TOOLS["claude-code"][call.kind],
          input: argsOf(call),
        })),
      ];
      return [
        // A line per block, each with the whole usage.
        ...blocks.map((block, at) =>
          claude("assistant", {
            uuid: `${id}-${at}`,
            requestId: `req-${id}`,
            message: { id: `msg-${id}`, role: "assistant", model: "m", content: [block], usage },
          }),
        ),
        ...calls.map((call) =>
          claude("user", {
            uuid: `r-${call.id}`,
            message: {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: call.id,
                  content: call.kind === "read" ? call.output : [{ type: "text", text: call.output }],
                  ...(call.isError ? { is_error: true } : {}),
                },
              ],
            },
            toolUseResult: { stdout: call.output },
          }),
        ),
      ];
    },
    compaction: (summary, id) => [
      claude("system", {
        uuid: id,
        subtype: "compact_boundary",
        compactMetadata: { trigger: "auto", preTokens: 9000 },
      }),
      claude("user", { uuid: `${id}-s`, isCompactSummary: true, message: { role: "user", content: summary } }),
    ],
  },
  codex: {
    head: () => [
      { timestamp: TIME, type: "session_meta", payload: { id: SESSION_ID, cwd: CWD, cli_version: "0" } },
      item({
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "<environment_context>here</environment_context>" }],
      }),
    ],
    prompt: (text) => [
      { timestamp: TIME, type: "event_msg", payload: { type: "user_message", message: text } },
      item({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
    ],
    answer: ({ text, inputTokens, calls }) => [
      item({ type: "reasoning", summary: [], encrypted_content: "x" }),
      ...(text === "" ? [] : [item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] })]),
      ...calls.map((call) =>
        item({
          type: "function_call",
          name: TOOLS.codex[call.kind],
          arguments: JSON.stringify(argsOf(call)),
          call_id: call.id,
        }),
      ),
      {
        timestamp: TIME,
        type: "event_msg",
        payload: {
          type: "token_count",
          info: {
            last_token_usage: { input_tokens: inputTokens, cached_input_tokens: 100, output_tokens: 50 },
            model_context_window: 200_000,
          },
        },
      },
      { timestamp: TIME, type: "event_msg", payload: { type: "token_count", info: null, rate_limits: {} } },
      ...calls.map((call) =>
        item({
          type: "function_call_output",
          call_id: call.id,
          output: call.isError ? { content: call.output, success: false } : call.output,
        }),
      ),
    ],
    compaction: (summary) => [
      { timestamp: TIME, type: "compacted", payload: { message: summary, replacement_history: [] } },
    ],
  },
  pi: {
    head: () => [{ type: "session", version: 3, id: SESSION_ID, timestamp: TIME, cwd: CWD }],
    prompt: (text, id) => [{ type: "message", id, message: { role: "user", content: [{ type: "text", text }] } }],
    answer: ({ id, text, inputTokens, calls }) => [
      {
        type: "message",
        id,
        message: {
          role: "assistant",
          content: [
            ...(text === "" ? [] : [{ type: "text", text }]),
            ...calls.map((call) => ({
              type: "toolCall",
              id: call.id,
              name: TOOLS.pi[call.kind],
              arguments: argsOf(call),
            })),
          ],
          usage: { input: inputTokens - 100, cacheRead: 60, cacheWrite: 40, output: 50, totalTokens: inputTokens + 50 },
        },
      },
      ...calls.map((call) => ({
        type: "message",
        id: `r-${call.id}`,
        message: {
          role: "toolResult",
          toolCallId: call.id,
          toolName: TOOLS.pi[call.kind],
          content: [{ type: "text", text: call.output }],
          isError: call.isError === true,
        },
      })),
    ],
    compaction: (summary, id) => [{ type: "compaction", id, summary, firstKeptEntryId: id, tokensBefore: 9000 }],
  },
  "kimi-code": {
    head: () => [{ type: "metadata", protocol_version: "1.5", created_at: 1 }],
    prompt: (text) => [
      { type: "turn.prompt", time: 1, input: [{ type: "text", text }], origin: { kind: "user" } },
      {
        type: "context.append_message",
        time: 1,
        message: { role: "user", content: [{ type: "text", text }], toolCalls: [], origin: { kind: "user" } },
      },
    ],
    answer: ({ id, text, inputTokens, calls }) => [
      loop({ type: "step.begin", uuid: id, turnId: "0" }),
      ...(text === "" ? [] : [loop({ type: "content.part", stepUuid: id, part: { type: "text", text } })]),
      ...calls.map((call) =>
        loop({
          type: "tool.call",
          stepUuid: id,
          toolCallId: call.id,
          name: TOOLS["kimi-code"][call.kind],
          args: argsOf(call),
        }),
      ),
      ...calls.map((call) =>
        loop({
          type: "tool.result",
          toolCallId: call.id,
          result: { output: call.output, ...(call.isError ? { isError: true } : {}) },
        }),
      ),
      loop({
        type: "step.end",
        uuid: id,
        usage: { inputOther: inputTokens - 100, inputCacheRead: 100, inputCacheCreation: 0, output: 50 },
      }),
    ],
    compaction: (summary) => [{ type: "context.apply_compaction", summary, compactedCount: 4 }],
  },
  "gemini-cli": {
    head: () => [{ sessionId: SESSION_ID, projectHash: "p", startTime: TIME, directories: [CWD] }],
    prompt: (text, id) => [{ id, timestamp: TIME, type: "user", content: [{ text }] }],
    answer: ({ id, text, inputTokens, calls }) => {
      const record = { id, timestamp: TIME, type: "gemini", content: text, model: "m" };
      const tokens = { input: inputTokens, output: 50, cached: 10, thoughts: 0, tool: 0, total: inputTokens + 50 };
      const call = (one: Numbered, more: Line): Line => ({
        id: one.id,
        name: TOOLS["gemini-cli"][one.kind],
        args: argsOf(one),
        status: "executing",
        ...more,
      });
      const done = (one: Numbered): Line =>
        call(one, {
          status: one.isError ? "error" : "success",
          result: [{ functionResponse: { id: one.id, name: "x", response: { output: one.output } } }],
        });
      // The same message, again and again with more in it.
      return [
        record,
        { ...record, tokens: { ...tokens, input: 1 } },
        ...(calls.length === 0 ? [] : [{ ...record, tokens, toolCalls: calls.map((one) => call(one, {})) }]),
        { ...record, tokens, ...(calls.length === 0 ? {} : { toolCalls: calls.map(done) }) },
        { $set: { lastUpdated: TIME } },
      ];
    },
    compaction: (summary, id) => [{ $set: { messages: [{ id, type: "user", content: [{ text: summary }] }] } }],
  },
  spillway: {
    head: () => [journal("session", "session", { root: CWD })],
    prompt: (text, id) => {
      newestJournalId = id;
      return [journal("user", id, { message: { role: "user", content: text } })];
    },
    answer: ({ id, text, inputTokens, calls }) => {
      newestJournalId = calls.length === 0 ? id : `r-${calls.at(-1)?.id}`;
      const content = [
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...calls.map((call) => ({
          type: "tool-call",
          toolCallId: call.id,
          toolName: TOOLS.spillway[call.kind],
          input: argsOf(call),
        })),
      ];
      return [
        journal("assistant", id, {
          message: { role: "assistant", content: content.length === 0 ? "" : content },
          finish: "stop",
          usage: { inputTokens, outputTokens: 50 },
        }),
        ...calls.map((call) =>
          journal("result", `r-${call.id}`, {
            toolCallId: call.id,
            outcome: call.isError
              ? { ok: false, tool: "other", error: { code: "TOOL_FAILED", message: call.output, next: "" } }
              : { ok: true, tool: "other", text: call.output },
          }),
        ),
        ...(calls.length === 0
          ? []
          : [journal("shown", `s-${id}`, { texts: Object.fromEntries(calls.map((call) => [call.id, call.output])) })]),
      ];
    },
    compaction: (summary, id) => [
      journal("checkpoint", id, {
        generation: 1,
        throughId: newestJournalId,
        summary,
        mode: "completed_turn",
        family: "summary",
        tokensBefore: 9000,
        tokensAfter: 500,
      }),
    ],
  },
};
