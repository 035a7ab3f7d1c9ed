import { CHECKPOINT_MARKER, estimateTokens, type TokenCounter } from "@spillway/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boundBatch,
  checkPairing,
  estimateContext,
  isCheckpointError,
  type ModelMessage,
  repairPairing,
} from "../src/index.ts";
import { anyMessages } from "./helpers/arbitrary.ts";
import { A, calls, results, textsOf, U } from "./helpers/messages.ts";

const large = (name: string) => `${name} begins ${"word ".repeat(4000)}${name} ends`;
const inputs = { a: { path: "a" }, b: { path: "b" }, c: { path: "c" } };

describe("boundBatch", () => {
  test("gives messages that fit back as they are", () => {
    const messages = [calls(inputs), results({ a: "1", b: "2", c: "3" })];
    expect(boundBatch(messages, { maxTokens: 1000 })).toEqual(messages);
  });

  test("keeps small results whole and shares the rest evenly", () => {
    const messages = [calls(inputs), results({ a: large("a"), b: "small", c: large("c") })];
    const bounded = boundBatch(messages, { maxTokens: 2000 });
    const [a = "", b, c = ""] = textsOf(bounded[1]);
    expect(b).toBe("small");
    expect(bounded[0]).toEqual(messages[0]);
    for (const [text, name] of [
      [a, "a"],
      [c, "c"],
    ] as const) {
      const [head = "", tail = ""] = text.split(CHECKPOINT_MARKER);
      expect(head).toMatch(new RegExp(`^${name} begins `));
      expect(tail).toMatch(new RegExp(`${name} ends$`));
      expect(estimateTokens(head) / estimateTokens(head + tail)).toBeCloseTo(0.75, 1);
    }
    expect(Math.abs(estimateTokens(a) - estimateTokens(c))).toBeLessThanOrEqual(1);
    expect(estimateContext(bounded)).toBeLessThanOrEqual(2000);
    expect(estimateContext(bounded)).toBeGreaterThan(1900);
  });

  test("renders a structured outcome anew to its share", () => {
    const asked: [string, number][] = [];
    const bounded = boundBatch([calls(inputs), results({ a: large("a"), b: large("b"), c: "small" })], {
      maxTokens: 2000,
      render: (toolCallId, maxTokens) => {
        asked.push([toolCallId, maxTokens]);
        return toolCallId === "a" ? `lines 1-40 of 4000, next: offset 41 (${maxTokens})` : undefined;
      },
    });
    const [a, b, c] = textsOf(bounded[1]);
    expect(a).toMatch(/^lines 1-40 of 4000, next: offset 41/);
    expect(b).toContain(CHECKPOINT_MARKER);
    expect(c).toBe("small");
    expect(asked.map(([id]) => id)).toEqual(["a", "b"]);
  });

  test("cuts what a renderer gives that does not keep to its share", () => {
    const bounded = boundBatch([calls(inputs), results({ a: large("a"), b: "b", c: "c" })], {
      maxTokens: 1000,
      render: () => large("rendered"),
    });
    expect(textsOf(bounded[1])[0]).toMatch(/^rendered begins [\s\S]*\[checkpoint truncated[\s\S]*rendered ends$/);
    expect(estimateContext(bounded)).toBeLessThanOrEqual(1000);
  });

  test("keeps the error flag and the kind of refusal, and names files", () => {
    const output = (toolCallId: string, value: object) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: "Read",
      output: Object.assign(value),
    });
    const message: ModelMessage = {
      role: "tool",
      content: [
        output("a", { type: "error-text", value: large("a"), providerOptions: { x: { y: 1 } } }),
        output("b", { type: "error-json", value: { rows: large("b") } }),
        output("c", { type: "execution-denied", reason: large("c") }),
        output("d", { type: "json", value: { rows: large("d") } }),
        output("e", {
          type: "content",
          value: [
            { type: "text", text: large("e") },
            { type: "image-data", data: "A".repeat(4096), mediaType: "image/png" },
          ],
        }),
      ],
    };
    const [bounded] = boundBatch([message], { maxTokens: 1500 });
    expect(bounded?.content).toMatchObject([
      { toolCallId: "a", output: { type: "error-text", providerOptions: { x: { y: 1 } } } },
      { toolCallId: "b", output: { type: "error-text", value: expect.stringMatching(/^\{"rows":"b begins/) } },
      { toolCallId: "c", output: { type: "execution-denied", reason: expect.stringMatching(/^c begins/) } },
      { toolCallId: "d", output: { type: "text", value: expect.stringMatching(/^\{"rows":"d begins/) } },
      {
        toolCallId: "e",
        output: { type: "text", value: expect.stringMatching(/\[image, image\/png, 3 KB: not kept\]$/) },
      },
    ]);
  });

  test("shortens long arguments in place, so that they stay what the tool's schema says", () => {
    const messages = [
      calls({ a: { path: "a.txt", content: large("a"), lines: [1, 2], flag: true } }, "Write"),
      results({ a: large("r") }),
    ];
    const bounded = boundBatch(messages, { maxTokens: 1200 });
    expect(bounded[0]?.content).toMatchObject([
      {
        toolCallId: "a",
        toolName: "Write",
        input: {
          path: "a.txt",
          lines: [1, 2],
          flag: true,
          content: expect.stringMatching(/^a begins [\s\S]*\[checkpoint truncated[\s\S]*a ends$/),
        },
      },
    ]);
    expect(estimateContext(bounded)).toBeLessThanOrEqual(1200);
  });

  test("does not touch user and system messages", () => {
    const messages: ModelMessage[] = [
      { role: "system", content: "be kind" },
      U(large("u")),
      calls({ a: {} }),
      results({ a: large("r") }),
    ];
    const bounded = boundBatch(messages, { maxTokens: 6000 });
    expect(bounded.slice(0, 2)).toEqual(messages.slice(0, 2));
  });

  test("fits by the counter it is given", () => {
    const dense: TokenCounter = (text) => Math.ceil(text.length / 1.5);
    const bounded = boundBatch([calls(inputs), results({ a: large("a"), b: large("b"), c: large("c") })], {
      maxTokens: 3000,
      counter: dense,
    });
    const size = estimateContext(bounded, { counter: dense });
    expect(size).toBeLessThanOrEqual(3000);
    expect(size).toBeGreaterThan(2600);
  });

  test("names the batch where its envelopes alone are over the limit", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`call_${at}`, large("x")]));
    expect(() => boundBatch([calls(many), results(many)], { maxTokens: 3000 })).toThrow(
      expect.objectContaining({
        code: "CONTEXT_COMPACTION_FAILED",
        message: expect.stringMatching(/^A batch of 200 results needs at least \d+ tokens and only 3000 are left — /),
        details: expect.objectContaining({ reason: "irreducible", part: "batch" }),
      }),
    );
  });

  test("refuses a limit that is no number", () => {
    expect(() => boundBatch([A("a")], { maxTokens: Number.NaN })).toThrow(
      new RangeError('Invalid maxTokens "NaN": give a number of tokens, 0 or more'),
    );
  });

  test("brings any batch under any limit, or says that it cannot; envelopes stay, twice is the same", () => {
    const counters: TokenCounter[] = [estimateTokens, (text) => text.length, (text) => Math.ceil(text.length / 7)];
    fc.assert(
      fc.property(anyMessages, fc.nat(4000), fc.constantFrom(...counters), (messages, maxTokens, counter) => {
        const batch = repairPairing(messages).filter(({ role }) => role === "assistant" || role === "tool");
        const before = JSON.stringify(batch);
        try {
          const bounded = boundBatch(batch, { maxTokens, counter });
          expect(estimateContext(bounded, { counter })).toBeLessThanOrEqual(maxTokens);
          expect(envelopes(bounded)).toEqual(envelopes(batch));
          expect(checkPairing(bounded)).toEqual(checkPairing(batch));
          expect(boundBatch(bounded, { maxTokens, counter })).toEqual(bounded);
          expect(JSON.stringify(boundBatch(batch, { maxTokens, counter }))).toBe(JSON.stringify(bounded));
        } catch (error) {
          if (!isCheckpointError(error)) throw error;
          expect(error.details.partTokens).toBeGreaterThan(0);
        }
        expect(JSON.stringify(batch)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

function envelopes(messages: readonly ModelMessage[]): unknown[] {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === "string") return [[role]];
    return content.map((part) => {
      if (part.type === "tool-call") return [role, part.type, part.toolCallId, part.toolName];
      if (part.type !== "tool-result") return [role, part.type];
      return [role, part.type, part.toolCallId, part.toolName, part.output.type.startsWith("error")];
    });
  });
}
