import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

export interface ScriptedCall {
  readonly id?: string;
  readonly tool: string;
  readonly args?: unknown;
  /** Instead of `args`: what the model really wrote. */
  readonly rawArgs?: string;
}

export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: LanguageModelV3FinishReason;
  readonly inputTokens?: number;
  /** Thrown instead of an answer. */
  readonly error?: unknown;
  /** The stream as it is, instead of text and calls. */
  readonly parts?: readonly LanguageModelV3StreamPart[];
  /** After its parts the stream stays open until the request is aborted. */
  readonly hangs?: boolean;
}

type Script = readonly ScriptedReply[] | ((request: LanguageModelV3CallOptions, index: number) => ScriptedReply);

export interface ScriptedModel extends LanguageModelV3 {
  readonly requests: LanguageModelV3CallOptions[];
}

/** Answers from a script, remembers every request, and counts a malformed one as a fault of the loop. */
export function scriptedModel(script: Script): ScriptedModel {
  const requests: LanguageModelV3CallOptions[] = [];
  const nextReply = (request: LanguageModelV3CallOptions): [reply: ScriptedReply, index: number] => {
    const problems = pairingProblems(request.prompt);
    if (problems.length > 0) throw new Error(`The request is not validly paired: ${problems.join("; ")}`);
    const index = requests.push(request) - 1;
    const reply = typeof script === "function" ? script(request, index) : script[index];
    if (reply === undefined) throw new Error(`The script has no reply ${index}`);
    if (reply.error !== undefined) throw reply.error;
    return [reply, index];
  };
  return {
    specificationVersion: "v3",
    provider: "test",
    modelId: "scripted",
    supportedUrls: {},
    requests,
    doGenerate: async (request) => generated(...nextReply(request)),
    doStream: async (request) => {
      const [reply, index] = nextReply(request);
      return { stream: streamOf(reply, index, request.abortSignal) };
    },
  };
}

/** The whole answer at once, for loops that do not stream. */
function generated(reply: ScriptedReply, index: number): LanguageModelV3GenerateResult {
  const parts = partsOf(reply, index);
  const finish = parts.find((part) => part.type === "finish");
  if (finish === undefined) throw new Error(`Reply ${index} of the script never finishes`);
  const { finishReason, usage } = finish;
  const text = reply.text === undefined ? [] : [{ type: "text" as const, text: reply.text }];
  return {
    content: [...text, ...parts.filter((part) => part.type === "tool-call")],
    finishReason,
    usage,
    warnings: [],
  };
}

/** Independent of the packages under test: each call has exactly one result, directly after its message, in call order. */
export function pairingProblems(prompt: LanguageModelV3Prompt): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  prompt.forEach((message, index) => {
    const next = prompt[index + 1];
    if (message.role === "assistant") {
      if (message.content.length === 0) problems.push(`message ${index} is empty`);
      const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
      for (const id of calls) if (seen.has(id)) problems.push(`id ${id} is used twice`);
      for (const id of calls) seen.add(id);
      const results =
        next?.role === "tool"
          ? next.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))
          : [];
      if (calls.join() !== results.join()) problems.push(`calls ${calls.join()} have results ${results.join()}`);
    }
    if (message.role === "tool" && prompt[index - 1]?.role !== "assistant")
      problems.push(`message ${index} has no calls`);
  });
  return problems;
}

/** The results of the newest tool message of a request, by call id. */
export function newestResults(request: LanguageModelV3CallOptions | undefined): Record<string, string> {
  const message = request?.prompt.findLast(({ role }) => role === "tool");
  if (message?.role !== "tool") return {};
  return Object.fromEntries(
    message.content.flatMap((part) =>
      part.type === "tool-result" && (part.output.type === "text" || part.output.type === "error-text")
        ? [[part.toolCallId, part.output.value]]
        : [],
    ),
  );
}

/** The messages of a request that the next one begins with: reminders are for one request only. */
export function lastingMessages(request: LanguageModelV3CallOptions | undefined): LanguageModelV3Prompt {
  return (request?.prompt ?? []).filter((message) => !JSON.stringify(message).includes('"text":"[context reminder'));
}

export function userTexts(request: LanguageModelV3CallOptions | undefined): string[] {
  return (request?.prompt ?? []).flatMap((message) =>
    message.role === "user" ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
}

/** A reply as the parts of a provider's stream; the index makes ids for calls that have none. */
export function streamOf(
  reply: ScriptedReply,
  index: number,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = [...(reply.parts ?? partsOf(reply, index))];
  return new ReadableStream({
    pull: async (controller) => {
      const part = parts.shift();
      if (part !== undefined) return controller.enqueue(part);
      if (reply.hangs !== true) return controller.close();
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
      controller.error(signal?.reason);
    },
  });
}

function partsOf(
  { text, calls = [], finish, inputTokens, hangs }: ScriptedReply,
  index: number,
): LanguageModelV3StreamPart[] {
  const unified = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const);
  const words = text === undefined ? [] : (text.match(/\S+\s*/g) ?? []);
  const finishPart: LanguageModelV3StreamPart = {
    type: "finish",
    finishReason: finish ?? { unified, raw: unified },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 10, text: 10, reasoning: 0 },
    },
  };
  return [
    { type: "stream-start", warnings: [] },
    ...(text === undefined
      ? []
      : [
          { type: "text-start" as const, id: "t" },
          ...words.map((delta) => ({ type: "text-delta" as const, id: "t", delta })),
          { type: "text-end" as const, id: "t" },
        ]),
    ...calls.map((call, position) => ({
      type: "tool-call" as const,
      toolCallId: call.id ?? `c${index}_${position}`,
      toolName: call.tool,
      input: call.rawArgs ?? JSON.stringify(call.args ?? {}),
    })),
    ...(hangs === true ? [] : [finishPart]),
  ];
}
