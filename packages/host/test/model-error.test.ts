import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { BrokenStreamError, classifyModelFailure } from "../src/model-error.ts";

const quiet = new AbortController().signal;

function apiError(statusCode: number, body: unknown, headers: Record<string, string> = {}): APICallError {
  const data = typeof body === "string" ? undefined : body;
  const error = typeof body === "string" ? undefined : Reflect.get(Object(body), "error");
  return new APICallError({
    message: typeof body === "string" ? body : String(Reflect.get(Object(error), "message")),
    url: "http://127.0.0.1/v1",
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
    isRetryable: statusCode === 408 || statusCode === 409 || statusCode === 429 || statusCode >= 500,
    ...(data === undefined ? {} : { data }),
  });
}

const anthropic = (type: string, message: string): unknown => ({ type: "error", error: { type, message } });
const openai = (code: string, message: string): unknown => ({
  error: { message, type: "invalid_request_error", code },
});

describe("classifyModelFailure", () => {
  test("an abort by the user comes before everything else", () => {
    const controller = new AbortController();
    controller.abort();
    expect(classifyModelFailure(apiError(429, "slow down"), controller.signal)).toEqual({ kind: "aborted" });
  });

  test.each<[string, unknown, object]>([
    [
      "Anthropic",
      apiError(400, anthropic("invalid_request_error", "prompt is too long: 205000 tokens > 200000 maximum")),
      { inputTokens: 205_000, limit: 200_000 },
    ],
    [
      "OpenAI chat",
      apiError(
        400,
        openai(
          "context_length_exceeded",
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 130500 tokens.",
        ),
      ),
      { inputTokens: 130_500, limit: 128_000 },
    ],
    [
      "OpenAI responses, failed in the stream",
      new APICallError({
        message: "Your input exceeds the context window of this model.",
        url: "u",
        requestBodyValues: {},
        statusCode: 200,
        data: { response: { error: { code: "context_length_exceeded", message: "too long" } } },
      }),
      {},
    ],
    ["an error event of the stream", { code: "context_length_exceeded", statusCode: 400, message: "too long" }, {}],
    ["an empty 413", apiError(413, ""), {}],
  ])("overflow of %s", (_title, error, overflow) => {
    expect(classifyModelFailure(error, quiet)).toMatchObject({ kind: "overflow", overflow });
  });

  test.each<[string, unknown, object]>([
    [
      "429 with seconds",
      apiError(429, anthropic("rate_limit_error", "slow down"), { "retry-after": "7" }),
      { status: 429, retryAfterMs: 7000 },
    ],
    [
      "429 with milliseconds",
      apiError(429, "slow down", { "retry-after-ms": "250", "retry-after": "1" }),
      { retryAfterMs: 250 },
    ],
    [
      "529 overloaded",
      apiError(529, anthropic("overloaded_error", "Overloaded")),
      { status: 529, message: "Overloaded" },
    ],
    ["502 with a page", apiError(502, "<html>Bad Gateway</html>"), { status: 502 }],
    ["a broken stream", new BrokenStreamError("The stream ended before the answer did"), {}],
    ["a bare TypeError", new TypeError("terminated"), { message: "terminated" }],
    ["a stream that broke after a 200", apiError(200, "Failed to process successful response"), { status: 200 }],
    ["an overload inside the stream, a plain object", { type: "overloaded_error", message: "Overloaded" }, {}],
    ["something thrown that is no error", "gone", { message: "gone" }],
    ["nothing at all", undefined, {}],
  ])("retry after %s", (_title, error, facts) => {
    expect(classifyModelFailure(error, quiet)).toMatchObject({ kind: "retry", ...facts });
  });

  test("a wait named as a date is a wait until then", () => {
    const error = apiError(503, "later", { "retry-after": new Date(Date.now() + 30_000).toUTCString() });
    const failure = classifyModelFailure(error, quiet);
    expect(failure.kind === "retry" && failure.retryAfterMs).toBeGreaterThan(25_000);
  });

  test.each<[string, unknown, object]>([
    [
      "a wrong key",
      apiError(401, anthropic("authentication_error", "invalid x-api-key")),
      { authentication: true, status: 401 },
    ],
    [
      "a model that is not there",
      apiError(404, openai("model_not_found", "no such model")),
      { authentication: false, status: 404 },
    ],
    [
      "a bad request",
      apiError(400, anthropic("invalid_request_error", "temperature: out of range")),
      { authentication: false },
    ],
    [
      "an exhausted quota, whatever its status",
      apiError(429, openai("insufficient_quota", "You exceeded your current quota")),
      { status: 429 },
    ],
    [
      "a refused request inside the stream",
      { type: "invalid_request_error", message: "bad" },
      { authentication: false },
    ],
    [
      "a missing key",
      Object.assign(new Error("key is missing"), { name: "AI_LoadAPIKeyError" }),
      { authentication: true },
    ],
    [
      "an invalid prompt",
      Object.assign(new Error("bad prompt"), { name: "AI_InvalidPromptError" }),
      { authentication: false },
    ],
  ])("gives up for %s", (_title, error, facts) => {
    expect(classifyModelFailure(error, quiet)).toMatchObject({ kind: "fatal", ...facts });
  });

  test("a rate limit that mentions tokens is no overflow", () => {
    const error = apiError(429, "Rate limit reached: limit 30000 tokens per min, requested 4000");
    expect(classifyModelFailure(error, quiet).kind).toBe("retry");
  });

  test("an error that wraps itself is classified", () => {
    const error = new Error("loop");
    error.cause = error;
    expect(classifyModelFailure(error, quiet)).toMatchObject({ kind: "retry", message: "loop" });
  });

  test("a long message is cut", () => {
    const failure = classifyModelFailure(new Error("x".repeat(9000)), quiet);
    expect(failure.kind === "retry" && failure.message.length).toBe(501);
  });
});
