// What goes wrong between a loop and a provider, row by row, over real connections with the real provider packages.
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import type { AgentEvent, createAgent, RunResult } from "../../../src/index.ts";
import { anthropic } from "./anthropic.ts";
import type { WireFormat, WireReply } from "./format.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { type Fault, startWireServer } from "./server.ts";

export type FormatName = "anthropic" | "openai chat" | "openai compatible" | "openai responses";

interface Provider {
  readonly format: WireFormat;
  readonly modelAt: (baseURL: string) => LanguageModel;
  /** The stop reason of an answer that met its output limit. */
  readonly cutOff: string;
}

const apiKey = "sk-test";
export const PROVIDERS: Readonly<Record<FormatName, Provider>> = {
  anthropic: {
    format: anthropic,
    modelAt: (baseURL) => createAnthropic({ baseURL, apiKey })("claude-test"),
    cutOff: "max_tokens",
  },
  "openai chat": {
    format: openaiChat,
    modelAt: (baseURL) => createOpenAI({ baseURL, apiKey }).chat("gpt-test"),
    cutOff: "length",
  },
  "openai compatible": {
    format: openaiChat,
    modelAt: (baseURL) => createOpenAICompatible({ name: "local", baseURL, includeUsage: true })("local"),
    cutOff: "length",
  },
  "openai responses": {
    format: openaiResponses,
    modelAt: (baseURL) => createOpenAI({ baseURL, apiKey })("gpt-test"),
    cutOff: "max_output_tokens",
  },
};

export const FORMAT_NAMES = Object.keys(PROVIDERS) as readonly FormatName[];

/** One failure of the first request, and what the run has to come to. */
export interface FailureRow {
  readonly name: string;
  /** By default all. */
  readonly formats?: readonly FormatName[];
  readonly fault?: (provider: Provider) => Fault;
  /** The first answer, where the request itself does not fail. */
  readonly first?: (provider: Provider) => WireReply;
  /** The run is aborted at the first event of this type. */
  readonly abortAt?: AgentEvent["type"];
  readonly reason: RunResult["reason"];
  /** Codes of the warnings, each once. */
  readonly warnings?: readonly string[];
  readonly error?: string;
  /** What the warning or the error says. */
  readonly says?: string;
}

const retried = { reason: "stop", warnings: ["MODEL_RETRY"] } as const;
const overflowed = { reason: "stop", warnings: ["CONTEXT_OVERFLOW"] } as const;
const refused = { reason: "error", error: "MODEL_FAILED" } as const;
const WRITE = { id: "w", tool: "Write", args: { path: "made.txt", content: "made" } };

export const FAILURE_ROWS: readonly FailureRow[] = [
  {
    ...{ name: "429 with a wait in milliseconds", ...retried, says: "retry 1 of 8 in 20 ms" },
    fault: () => ({ status: 429, message: "slow down", headers: { "retry-after-ms": "20" } }),
  },
  {
    ...{ name: "429 with a wait longer than the SDK would heed", reason: "aborted", abortAt: "warning" },
    fault: () => ({ status: 429, message: "slow down", headers: { "retry-after": "90" } }),
    ...{ warnings: ["MODEL_RETRY"], says: "retry 1 of 8 in 90 s" },
  },
  {
    ...{ name: "429 with a wait that nobody waits for", ...refused, says: "asks for a wait of 3600 s" },
    fault: () => ({ status: 429, message: "slow down", headers: { "retry-after": "3600" } }),
  },
  {
    ...{ name: "529", ...retried },
    fault: () => ({ status: 529, message: "Overloaded", headers: { "retry-after-ms": "20" } }),
  },
  {
    ...{ name: "503", ...retried },
    fault: () => ({ status: 503, message: "unavailable", headers: { "retry-after": "0" } }),
  },
  { ...{ name: "502 with a page", ...retried }, fault: () => ({ status: 502, body: "<html>Bad Gateway</html>" }) },
  { ...{ name: "a connection that is reset before the answer", ...retried }, fault: () => ({ reset: true }) },
  { ...{ name: "a connection that breaks in the answer", ...retried }, fault: () => ({ breakAfter: 3 }) },
  { ...{ name: "an answer that ends without its end", ...retried }, fault: () => ({ endAfter: 2 }) },
  { ...{ name: "an answer that falls silent", ...retried, says: "was silent for" }, fault: () => ({ stallAfter: 3 }) },
  {
    ...{ name: "a server error in the stream", ...retried },
    fault: ({ format }) => ({ endAfter: 3, events: [format.errorEvent("overloaded_error", "Overloaded")] }),
  },
  {
    ...{ name: "a prompt that is too long", ...overflowed },
    fault: ({ format }) => ({
      status: 400,
      message:
        format === anthropic
          ? "prompt is too long: 50000 tokens > 40000 maximum"
          : "This model's maximum context length is 40000 tokens. However, your messages resulted in 50000 tokens.",
    }),
  },
  { ...{ name: "413 with an empty body", ...overflowed }, fault: () => ({ status: 413, body: "" }) },
  {
    ...{ name: "an overflow that the stream tells of", ...overflowed, formats: ["openai responses"] },
    fault: () => {
      const error = { code: "context_length_exceeded", message: "Your input exceeds the context window." };
      const response = { id: "resp", status: "failed", error, incomplete_details: null, usage: null };
      const failed = { type: "response.failed", sequence_number: 1, response };
      return { endAfter: 1, events: [`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`] };
    },
  },
  {
    ...{ name: "an overflow as an error of the stream", ...overflowed, formats: ["openai responses"] },
    fault: ({ format }) => ({
      endAfter: 1,
      events: [format.errorEvent("context_length_exceeded", "Your input exceeds the context window.")],
    }),
  },
  {
    ...{ name: "an answer that met the end of the window", ...overflowed, formats: ["anthropic"] },
    first: () => ({ text: "half an ans", stop: "model_context_window_exceeded" }),
  },
  {
    ...{ name: "a wrong key", ...refused, says: "check the key" },
    fault: () => ({ status: 401, message: "invalid key" }),
  },
  {
    ...{ name: "a model that is not there", ...refused, says: "check the model's name" },
    fault: () => ({ status: 404, message: "no such model" }),
  },
  {
    ...{ name: "an exhausted quota", ...refused, formats: ["openai chat", "openai compatible", "openai responses"] },
    fault: () => ({ status: 429, body: QUOTA }),
  },
  {
    ...{ name: "arguments that are not JSON", reason: "stop" },
    first: () => ({ calls: [{ ...WRITE, json: '{"path":"made.txt","content":' }] }),
  },
  {
    ...{ name: "a tool that is not there", reason: "stop" },
    first: () => ({ calls: [{ ...WRITE, tool: "Wrote" }] }),
  },
  {
    ...{ name: "arguments that the output limit cut off", reason: "stop" },
    first: ({ cutOff }) => ({ text: "I write.", calls: [WRITE], stop: cutOff }),
  },
  {
    ...{ name: "a call that was half streamed", ...retried },
    // All but the answer's end, or its second half.
    first: () => ({ calls: [WRITE] }),
    fault: () => ({ breakAfter: 3 }),
  },
  { ...{ name: "a stop in the middle of the text", reason: "aborted", abortAt: "text_delta" } },
];

const QUOTA = JSON.stringify({
  error: { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" },
});
/** Long enough to be worth a checkpoint. */
const LONG_PROMPT = `Tell me about apples. ${"apple ".repeat(20_000)}`;
const STALL_MS = 2000;
const ANSWER = "All is done.";

/** What did not come to pass as the row says; nothing if all did. */
export async function failureProblems(
  row: FailureRow,
  name: FormatName,
  create: typeof createAgent,
): Promise<readonly string[]> {
  const provider = PROVIDERS[name];
  const base = await realpath(await mkdtemp(join(tmpdir(), "spillway-failure-")));
  const fault = row.fault?.(provider);
  let asked = 0;
  const server = await startWireServer(provider.format, {
    script: () => {
      asked += 1;
      return asked === 1 && row.first !== undefined ? row.first(provider) : { text: ANSWER };
    },
    ...(fault === undefined ? {} : { faults: { 0: fault } }),
  });
  const agent = await create({
    ...{ model: provider.modelAt(server.url), root: base, dataDir: join(base, ".data"), mode: "auto" },
    ...(fault !== undefined && "stallAfter" in fault ? { stallMs: STALL_MS } : {}),
  });
  try {
    const stop = new AbortController();
    const events: AgentEvent[] = [];
    const isTooLong = row.warnings?.includes("CONTEXT_OVERFLOW") === true;
    const run = agent.run(isTooLong ? LONG_PROMPT : "Tell me about apples.", { signal: stop.signal });
    for await (const event of run) {
      events.push(event);
      if (event.type === row.abortAt) stop.abort();
    }
    const made = (await readdir(base)).includes("made.txt");
    return [...problemsOf(row, events, await run.result), ...(made ? ["a call was run"] : []), ...server.problems];
  } finally {
    await agent.close();
    await server.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function problemsOf(row: FailureRow, events: readonly AgentEvent[], result: RunResult): string[] {
  const warnings = events.filter((event) => event.type === "warning");
  const said = [...warnings.map(({ message }) => message), result.error?.message ?? ""].join("\n");
  const found = [...new Set(warnings.map(({ code }) => code))].sort().join(" ");
  const wanted = [...(row.warnings ?? [])].sort().join(" ");
  const problems: string[] = [];
  if (result.reason !== row.reason) problems.push(`it ended with ${result.reason}, not ${row.reason}`);
  if (result.error?.code !== row.error) problems.push(`its error is ${result.error?.code}, not ${row.error}`);
  if (found !== wanted) problems.push(`it warns of "${found}", not "${wanted}"`);
  if (row.says !== undefined && !said.includes(row.says)) problems.push(`it does not say "${row.says}"`);
  if (row.reason === "stop" && result.text !== ANSWER) problems.push(`its answer is "${result.text}"`);
  const checkpoints = events.filter(({ type }) => type === "checkpoint").length;
  const needed = wanted === "CONTEXT_OVERFLOW" ? 1 : 0;
  if (checkpoints !== needed) problems.push(`it took ${checkpoints} checkpoints, not ${needed}`);
  return problems.length > 0 && said.trim() !== "" ? [...problems, `it said: ${said.trim()}`] : problems;
}
