/** What a provider's context-overflow error says. */
export interface Overflow {
  /** Input tokens of the refused request. */
  readonly inputTokens?: number;
  /** The most it would have taken. */
  readonly limit?: number;
}

/**
 * The facts of a context-overflow error, whatever it is wrapped in; undefined for any other error. Reads message, body,
 * codes, status 413 and causes; errors of the AI SDK, plain objects and strings alike.
 */
export function parseOverflow(error: unknown): Overflow | undefined {
  const seen = new Set<object>();
  const texts = textsOf(error, seen);
  const statuses = [...seen].map((value) => Reflect.get(value, "statusCode") ?? Reflect.get(value, "status"));
  const text = texts.join("\n");
  if (!TOO_LARGE_FOR_ANY_MINUTE.test(text)) {
    if (statuses.includes(429) || NOT_OVERFLOW.test(text)) return undefined;
    if (!OVERFLOW.some((pattern) => pattern.test(text)) && !statuses.includes(413)) return undefined;
  }
  return numbersOf(text);
}

function textsOf(value: unknown, seen: Set<object>): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value) || seen.size >= MAX_OBJECTS) return [];
  seen.add(value);
  return FIELDS.flatMap((field) => {
    const inner: unknown = Reflect.get(value, field);
    return Array.isArray(inner) ? inner.flatMap((one) => textsOf(one, seen)) : textsOf(inner, seen);
  });
}

function numbersOf(text: string): Overflow {
  const inputTokens = firstNumber(INPUT_TOKENS, text);
  const limit = firstNumber(LIMITS, text);
  return { ...(inputTokens === undefined ? {} : { inputTokens }), ...(limit === undefined ? {} : { limit }) };
}

function firstNumber(patterns: readonly RegExp[], text: string): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replaceAll(/[,_]/g, "");
    if (digits !== undefined && Number(digits) > 0) return Number(digits);
  }
  return undefined;
}

const FIELDS = ["message", "responseBody", "code", "type", "data", "error", "response", "cause", "lastError", "errors"];
const MAX_OBJECTS = 50;

// Texts that providers and local servers were seen to answer with, from their public reports.
const OVERFLOW: readonly RegExp[] = [
  /(input|prompt) (is )?too long|prompt 超长/i,
  /(context|prompt)( (window|length|size|limit))? (has been |was )?exceed/i,
  /input (length|tokens?)( \(?\d[^.\n]{0,20})? exceed/i,
  /exceed(s|ed)? (the )?((available|maximum|max|allowed|model'?s?) )*(context|prompt|input (tokens?|length)|number of tokens)/i,
  /tokens?,? (which )?exceeds? the (model|max)|exceed(s|ed)? model (token )?limit|tokens in request more than max/i,
  /token count .{0,80}(exceeds|only supports up to)/i,
  /max(imum)? (context|prompt|input|model) length|max input tokens|max_prompt_tokens/i,
  /context.?(length|window).?exceeded|exceed_context_size|request_too_large|tokens_limit_reached/i,
  /(greater|longer) than the (model'?s )?context length|context length of only/i,
  /reduce (the length of )?(the |your )?(messages|prompt|input)\b/i,
  /tokens in the prompt cannot exceed|input length should be \[|must have less than [\d,]+ tokens/i,
  /`max_new_tokens` must be <=|max_tokens must be at least 1, got -/i,
];
const NOT_OVERFLOW =
  /per[- ]minute|tokens per (day|min)|rate.?limit|too many requests|too many tokens, please wait|quota/i;
// A rate limit that no waiting mends: this one request is larger than what a whole minute allows.
const TOO_LARGE_FOR_ANY_MINUTE = /request too large for [^\n]{1,200}tokens per min/i;

// The two numbers stand in one sentence in some texts and far apart in others, in either order: each has its own list,
// the surest pattern first. What a request asks for as output is no input, so a total comes last.
const N = "(\\d[\\d,_]{0,14})";
const INPUT_TOKENS = patternsOf([
  `${N} tokens > ${N} maximum`,
  `context limit: ${N} \\+`,
  `token count:? (?:is |of )?\\(?${N}`,
  `\\(${N} (?:in (?:the |your )?(?:messages|prompt)|of text input)`,
  `${N} tokens from the input`,
  `(?:contains|has|have|passed) (?:at least )?${N}`,
  `resulted in ${N}`,
  `\\(${N} tokens\\)[^()]*(?:exceeds|longer than)`,
  `input length:? \\(?${N}\\)?(?: tokens)? exceeds`,
  `prompt is too long: ${N}`,
  `current length is ${N}`,
  `n_prompt_tokens\\W{1,4}${N}`,
  `n_keep: ${N}`,
  `received ${N}`,
  `Given: ${N}`,
  `requested:? (?:about |a total of )?${N}(?! output|[\\d,_])`,
]);
const LIMITS = patternsOf([
  `tokens > ${N} maximum`,
  `context limit: [\\d,_]+ \\+ [\\d,_]+ > ${N}`,
  `maximum input length of ${N}`,
  `max(?:imum)? (?:\\w+ ){0,2}(?:context|prompt|input|model) length:? (?:is |of )?\\(?${N}`,
  `max(?:imum)? (?:allowed )?(?:input )?length \\(${N}`,
  `${N} maximum context length`,
  `maximum number of (?:input )?tokens allowed \\(?${N}`,
  `only supports up to ${N}`,
  `context length (?:is only |of only |is |of )?\\(?${N}`,
  `available context size \\(${N}`,
  `n_ctx\\W{1,4}${N}`,
  `(?:token|max|configured|the) limit(?: of| is|:)? ${N}`,
  `limit (?:is )?${N}`,
  `cannot exceed ${N}`,
  `input length should be \\[\\d+, ?${N}`,
  `must have less than ${N} tokens`,
  `must be <= ${N}`,
  `max input tokens: ${N}`,
  `max size: ${N} tokens`,
]);

function patternsOf(sources: readonly string[]): RegExp[] {
  return sources.map((source) => new RegExp(source, "i"));
}
