import fc from "fast-check";
import type { Entry, ModelMessage, ToolResultOutput, ToolResultPart } from "../../src/message.ts";

/** Text of the kinds that break things: scripts, emoji, special tokens, one long word, half characters, nothing. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }), weight: 4 },
  { arbitrary: fc.constantFrom("", " ", "\n", "汉字と한글🟡é ".repeat(30), "a".repeat(3000)), weight: 2 },
  { arbitrary: fc.constantFrom("<|endoftext|> <|im_start|>", "\ud83d half", "half \udc00"), weight: 1 },
  { arbitrary: fc.nat(6000).map((n) => "word line\n".repeat(n / 10)), weight: 1 },
);

const callId = fc.constantFrom("call_0", "call_1", "call_2", "call_3", "a", "b", "a_2");
const toolName = fc.constantFrom("Read", "Bash", "Grep");

const output: fc.Arbitrary<ToolResultOutput> = fc.oneof(
  anyText.map((value): ToolResultOutput => ({ type: "text", value })),
  anyText.map((value): ToolResultOutput => ({ type: "error-text", value })),
  fc.record({ rows: fc.array(anyText, { maxLength: 3 }) }).map((value): ToolResultOutput => ({ type: "json", value })),
  fc.constant<ToolResultOutput>({ type: "execution-denied", reason: "no" }),
  anyText.map(
    (text): ToolResultOutput => ({
      type: "content",
      value: [
        { type: "text", text },
        { type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" },
      ],
    }),
  ),
);

const result: fc.Arbitrary<ToolResultPart> = fc
  .tuple(callId, toolName, output)
  .map(([toolCallId, name, value]) => ({ type: "tool-result", toolCallId, toolName: name, output: value }));

const call = fc.tuple(callId, toolName, anyText).map(([toolCallId, name, path]) => ({
  type: "tool-call" as const,
  toolCallId,
  toolName: name,
  input: { path, limit: 3 },
}));

const reasoning = anyText.map((text) => ({ type: "reasoning" as const, text }));
const text = anyText.map((value) => ({ type: "text" as const, text: value }));
const image = fc.constant({ type: "image" as const, image: "iVBORw0KGgo=", mediaType: "image/png" });

/** Messages in any order, with any ids: nothing about them is valid. */
export const anyMessage: fc.Arbitrary<ModelMessage> = fc.oneof(
  anyText.map((content): ModelMessage => ({ role: "user", content })),
  fc.array(fc.oneof(text, image), { maxLength: 3 }).map((content): ModelMessage => ({ role: "user", content })),
  anyText.map((content): ModelMessage => ({ role: "assistant", content })),
  fc
    .array(fc.oneof(text, reasoning, call, call, result), { maxLength: 4 })
    .map((content): ModelMessage => ({ role: "assistant", content })),
  fc.array(result, { maxLength: 4 }).map((content): ModelMessage => ({ role: "tool", content })),
);

export const anyMessages: fc.Arbitrary<ModelMessage[]> = fc.array(anyMessage, { maxLength: 14 });

/** Batches with their results, as a loop writes them: ids reused in every turn, some results missing or late. */
const turn: fc.Arbitrary<ModelMessage[]> = fc
  .record({
    prompt: fc.option(
      anyText.filter((value) => value.trim() !== ""),
      { nil: undefined },
    ),
    batch: fc.array(fc.tuple(toolName, anyText, output), { maxLength: 4 }),
    said: anyText,
    dropped: fc.nat(8),
  })
  .map(({ prompt, batch, said, dropped }) => {
    const user: ModelMessage[] = prompt === undefined ? [] : [{ role: "user", content: prompt }];
    const calls = batch.map(([name, path], at) => ({
      type: "tool-call" as const,
      toolCallId: `call_${at}`,
      toolName: name,
      input: { path },
    }));
    const results = batch.map(([name, , value], at) => ({
      type: "tool-result" as const,
      toolCallId: `call_${at}`,
      toolName: name,
      output: value,
    }));
    const kept = results.filter((_, at) => at !== dropped);
    if (calls.length === 0) return [...user, { role: "assistant", content: said }];
    return [...user, { role: "assistant", content: calls }, { role: "tool", content: kept }];
  });

export const history: fc.Arbitrary<Entry[]> = fc
  .array(turn, { minLength: 1, maxLength: 12 })
  .map((turns) => turns.flat().map((message, at) => ({ id: `e${at}`, message })));
