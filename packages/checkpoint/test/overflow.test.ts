import { APICallError, RetryError } from "ai";
import { describe, expect, test } from "vitest";
import { parseOverflow } from "../src/index.ts";

const apiError = (message: string, statusCode: number, more: { responseBody?: string; data?: unknown } = {}) =>
  new APICallError({ message, statusCode, url: "http://provider.test", requestBodyValues: {}, ...more });

describe("parseOverflow", () => {
  test.each([
    ["prompt is too long: 213462 tokens > 200000 maximum", { inputTokens: 213_462, limit: 200_000 }],
    [
      "input length and `max_tokens` exceed context limit: 190012 + 20000 > 200000, decrease input length",
      { inputTokens: 190_012, limit: 200_000 },
    ],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 133,077 tokens.",
      { inputTokens: 133_077, limit: 128_000 },
    ],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8500 in the messages, 1000 in the completion).",
      { inputTokens: 8500, limit: 8192 },
    ],
    [
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      { inputTokens: 1_200_000, limit: 1_048_576 },
    ],
    [
      "the request exceeds the available context size: request (5000 tokens) exceeds the available context size (4096 tokens)",
      { inputTokens: 5000, limit: 4096 },
    ],
    [
      "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      { inputTokens: 140_000, limit: 131_072 },
    ],
    ["Your request exceeded model token limit: 262144 (requested: 270000)", { inputTokens: 270_000, limit: 262_144 }],
    ["Maximum context length is 32768 tokens", { limit: 32_768 }],
    ["Your input exceeds the context window of this model. Please adjust your input and try again.", {}],
    ["The number of tokens to keep from the initial prompt is greater than the context length.", {}],
    ["Please reduce the length of the messages or completion.", {}],
    ["context_length_exceeded", {}],
  ])("reads %s", (message, facts) => {
    expect(parseOverflow(new Error(message))).toEqual(facts);
    expect(parseOverflow(message)).toEqual(facts);
  });

  test("finds it in body, data, code, cause and the last of several tries", () => {
    const body = '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}';
    const facts = { inputTokens: 9, limit: 8 };
    expect(parseOverflow(apiError("Bad Request", 400, { responseBody: body }))).toEqual(facts);
    const inner = apiError("Bad Request", 400, { responseBody: body });
    expect(parseOverflow(new Error("step failed", { cause: inner }))).toEqual(facts);
    expect(
      parseOverflow(new RetryError({ message: "gave up", reason: "maxRetriesExceeded", errors: [inner] })),
    ).toEqual(facts);
    const streamed = { response: { error: { code: "context_length_exceeded", message: "too much" } } };
    expect(parseOverflow(apiError("failed", 400, { data: streamed }))).toEqual({});
    expect(parseOverflow({ type: "error", code: "context_length_exceeded", statusCode: 400 })).toEqual({});
  });

  test("takes status 413 for one", () => {
    expect(parseOverflow(apiError("Payload Too Large", 413))).toEqual({});
  });

  test.each([
    ["a rate limit that speaks of tokens", apiError("Rate limit: maximum context length is 9 tokens per min", 429)],
    ["a bad key", apiError("invalid x-api-key", 401)],
    ["a lost connection", new TypeError("terminated")],
    ["nothing", undefined],
    ["a number", 413],
  ])("does not take %s for one", (_, error) => {
    expect(parseOverflow(error)).toBeUndefined();
  });

  test("ends on an error that contains itself", () => {
    const error: Error & { cause?: unknown } = new Error("prompt is too long");
    error.cause = error;
    expect(parseOverflow(error)).toEqual({});
  });
});
