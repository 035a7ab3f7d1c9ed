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
    [
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
      { inputTokens: 262_145, limit: 262_144 },
    ],
    [
      "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=99073)",
      { inputTokens: 99_073, limit: 99_072 },
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
      { inputTokens: 2104, limit: 4096 },
    ],
    [
      "This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10340 in your prompt; 6 for the completion). Please reduce your prompt; or completion length.",
      { inputTokens: 10_340, limit: 8191 },
    ],
    [
      'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens (131000 of text input, 9000 in the output). Please reduce the length of either one, or use the "middle-out" transform',
      { inputTokens: 131_000, limit: 131_072 },
    ],
    [
      "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      { inputTokens: 65_673, limit: 32_768 },
    ],
    [
      "Unable to submit request because the input token count is 1150000 but model only supports up to 1048576. Reduce the input token count and try again.",
      { inputTokens: 1_150_000, limit: 1_048_576 },
    ],
    ["The input token count exceeds the maximum number of tokens allowed 1048576.", { limit: 1_048_576 }],
    [
      '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}',
      { inputTokens: 5000, limit: 4096 },
    ],
    [
      "Trying to keep the first 6000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      { limit: 4096 },
    ],
    ["prompt too long; exceeded max context length by 4 tokens", {}],
    [
      "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 140000. Try using a shorter prompt.",
      { inputTokens: 140_000, limit: 128_000 },
    ],
    ["tokens in request more than max tokens allowed", {}],
    ["Prompt exceeds max length", {}],
    ["<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]", { limit: 98_304 }],
    ["invalid params, context window exceeds limit (2013)", {}],
    ["prompt token count of 130000 exceeds the limit of 128000", { inputTokens: 130_000, limit: 128_000 }],
    ["Request body too large for gpt-4o model. Max size: 8000 tokens. tokens_limit_reached", { limit: 8000 }],
    [
      "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",
      { inputTokens: 5000, limit: 4095 },
    ],
    [
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`",
      { inputTokens: 4000, limit: 4097 },
    ],
    ["The prompt is too long: 140000, model maximum context length: 131071", { inputTokens: 140_000, limit: 131_071 }],
    [
      "Input length (40000 tokens) exceeds the maximum allowed length (32768 tokens). Use a shorter input or enable --allow-auto-truncate.",
      { inputTokens: 40_000, limit: 32_768 },
    ],
    [
      "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
      { inputTokens: 40_000, limit: 32_768 },
    ],
    [
      "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 40000 tokens: 30000 tokens from the input messages and 10000 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
      { inputTokens: 30_000, limit: 32_768 },
    ],
    [
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.",
      { inputTokens: 300_000, limit: 272_000 },
    ],
    [
      "Messages have 140000 tokens, which exceeds the max limit of 127072 tokens.",
      { inputTokens: 140_000, limit: 127_072 },
    ],
    ["Context size has been exceeded.", {}],
    ["litellm.ContextWindowExceededError: bad", {}],
    [
      "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
      { inputTokens: 131_393, limit: 131_040 },
    ],
    [
      "Input length (265330) exceeds model's maximum context length (262144).",
      { inputTokens: 265_330, limit: 262_144 },
    ],
    [
      "503 litellm.ServiceUnavailableError: APIConnectionError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens.",
      { limit: 131_072 },
    ],
    ["ValidationException: The input is too long", {}],
    ["ValidationException: Input exceeds the max input token limit", {}],
    ["ollama: context length exceeded for llama3", {}],
    ["total tokens exceeds the model's max of 4096", {}],
    ["max_tokens must be at least 1, got -1234.", {}],
    [
      "Too many input tokens. Max input tokens: 8192, request input token count: 8400 ",
      { inputTokens: 8400, limit: 8192 },
    ],
    [
      "This model's maximum context length is 196608 tokens. However, your request has 264175 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=264175)",
      { inputTokens: 264_175, limit: 196_608 },
    ],
    [
      "This model's maximum context length is 65536 tokens. However, you requested 66434 tokens (58242 in the messages, 8192 in the completion).",
      { inputTokens: 58_242, limit: 65_536 },
    ],
    ["The request's input token count (1,200,000) exceeds the maximum", { inputTokens: 1_200_000 }],
    ["Total message token length exceed model limit (10000 tokens).", {}],
    ["Maximum context length is 131,072 tokens, you requested 32,000 output tokens.", { limit: 131_072 }],
    [
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41000.",
      { inputTokens: 41_000, limit: 30_000 },
    ],
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

  test.each([
    "ThrottlingException: Too many tokens, please wait before trying again.",
    "max_tokens is too large: 20000. This model supports at most 4096 completion tokens, whereas you provided 20000.",
    "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude",
    "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).",
    "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2000 instead.",
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got 60",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    "messages.1.content.0.image.source: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
    "You exceeded your current quota, please check your plan and billing details.",
    "Invalid schema: string exceeds max length of 64 for tool name",
    "tools.0.custom.name: String should have at most 128 characters",
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    "Number of request tokens has exceeded your daily rate limit",
    "input must be a string or array",
    "Input exceeds the image limit of 20",
    "timeout exceeded",
    "Request timed out: deadline exceeded",
    "Too many images in input: exceeds the allowed input image count",
    "thinking.budget_tokens: Input should be greater than or equal to 1024",
    "Token expired: token limit for this key exceeded your plan",
    "Concurrent token usage exceeded",
  ])("does not take %s for one", (message) => {
    expect(parseOverflow(message)).toBeUndefined();
  });

  test("ends on an error that contains itself", () => {
    const error: Error & { cause?: unknown } = new Error("prompt is too long");
    error.cause = error;
    expect(parseOverflow(error)).toEqual({});
  });
});
