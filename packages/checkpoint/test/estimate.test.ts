import { describe, expect, test } from "vitest";
import { calibrate, estimateContext, type ModelMessage } from "../src/index.ts";
import { A, calls, results, U } from "./helpers/messages.ts";

const perChar = (text: string): number => text.length;

describe("estimateContext", () => {
  test("counts texts, call arguments, results and what every request carries besides", () => {
    const messages = [U("12345"), calls({ a: { p: "1" } }), results({ a: "123456" }), A("123")];
    const parts = { user: 4 + 5, call: 4 + 12 + "Read".length + '{"p":"1"}'.length, result: 4 + 12 + 6, answer: 4 + 3 };
    expect(estimateContext(messages, { counter: perChar, fixedTokens: 1000 })).toBe(
      1000 + parts.user + parts.call + parts.result + parts.answer,
    );
  });

  test("counts with the plain estimate where no counter is given", () => {
    expect(estimateContext([U("four 汉字")])).toBe(4 + 4);
  });

  test("gives images and files a cost that does not follow their base64", () => {
    const image = { type: "image" as const, image: "A".repeat(400_000), mediaType: "image/png" };
    const pdf = { type: "file" as const, data: new Uint8Array(320_000), mediaType: "application/pdf" };
    const text = { type: "file" as const, data: new Uint8Array(40_000), mediaType: "text/plain" };
    const link = { type: "file" as const, data: new URL("https://example.test/a.pdf"), mediaType: "application/pdf" };
    const sizeOf = (content: Extract<ModelMessage, { role: "user" }>["content"]) =>
      estimateContext([{ role: "user", content }]) - 4;
    expect([[image], [pdf], [text], [link]].map(sizeOf)).toEqual([1600, 10_000, 10_000, 1600]);
  });

  test("counts an image in a tool result like one in a message", () => {
    const output = {
      type: "content" as const,
      value: [
        { type: "text" as const, text: "seen:" },
        { type: "image-data" as const, data: "A".repeat(400_000), mediaType: "image/png" },
      ],
    };
    const message: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "See", output }],
    };
    expect(estimateContext([message], { counter: perChar })).toBe(4 + 12 + 5 + 1600);
  });

  test("counts reasoning that is sent back sealed", () => {
    const sealed = { openai: { reasoningEncryptedContent: "x".repeat(4000) } };
    const reasoning = { type: "reasoning" as const, text: "", providerOptions: sealed };
    const message: ModelMessage = { role: "assistant", content: [reasoning, { type: "text", text: "so" }] };
    expect(estimateContext([message])).toBe(4 + 1000 + 1);
  });

  test("stays a number for kinds of a later version", () => {
    const strange = {
      role: "tool" as const,
      content: [
        { type: "tool-result", toolCallId: "a", toolName: "X", output: { type: "hologram", value: "x".repeat(400) } },
        { type: "file", data: { type: "data", data: "x" }, mediaType: "application/pdf" },
      ],
    };
    const size = estimateContext([strange]);
    expect(size).toBeGreaterThan(1700);
    expect(size).toBeLessThan(1800);
  });

  test("takes the reported input for what it measured, and scales what came after", () => {
    const sent = [U("x".repeat(400))];
    const usage = calibrate(sent, 208, { fixedTokens: 0 });
    expect(usage?.factor).toBe(2);
    const later = [...sent, A("x".repeat(360)), U("x".repeat(40))];
    expect(estimateContext(later, usage === undefined ? {} : { usage })).toBe(208 + 2 * (4 + 90 + 4 + 10));
  });

  test("scales everything where the messages that were measured are gone", () => {
    const usage = calibrate([U("x".repeat(400)), A("y")], 218, { fixedTokens: 0 });
    expect(usage?.factor).toBe(2);
    const rewritten = [U("a summary of 24 chars..."), A("y"), U("go")];
    expect(estimateContext(rewritten, usage === undefined ? {} : { usage, fixedTokens: 7 })).toBe(
      2 * (7 + (4 + 6) + (4 + 1) + (4 + 1)),
    );
  });
});
