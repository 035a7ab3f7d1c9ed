import { APICallError } from "@ai-sdk/provider";

/** Anthropic's refusal of a prompt that is too long. */
export function overflowError(tokens: number, maximum: number): APICallError {
  return new APICallError({
    message: `prompt is too long: ${tokens} tokens > ${maximum} maximum`,
    url: "u",
    requestBodyValues: {},
    statusCode: 400,
    isRetryable: false,
  });
}

/** Anthropic's refusal while it is overloaded. */
export function overloadedError(headers: Record<string, string> = { "retry-after-ms": "5" }): APICallError {
  return new APICallError({
    message: "Overloaded",
    url: "u",
    requestBodyValues: {},
    statusCode: 529,
    responseHeaders: headers,
    isRetryable: true,
  });
}
