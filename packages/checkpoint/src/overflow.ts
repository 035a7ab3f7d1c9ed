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
  if (statuses.includes(429) || NOT_OVERFLOW.test(text)) return undefined;
  if (!OVERFLOW.some((pattern) => pattern.test(text)) && !statuses.includes(413)) return undefined;
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
  for (const { pattern, tokens, limit } of NUMBERS) {
    const groups = pattern.exec(text);
    if (groups === null) continue;
    const found = { inputTokens: numberAt(groups, tokens), limit: numberAt(groups, limit) };
    return {
      ...(found.inputTokens === undefined ? {} : { inputTokens: found.inputTokens }),
      ...(found.limit === undefined ? {} : { limit: found.limit }),
    };
  }
  return {};
}

function numberAt(groups: RegExpExecArray, at: number | undefined): number | undefined {
  const digits = at === undefined ? undefined : groups[at]?.replaceAll(/[,_]/g, "");
  return digits === undefined ? undefined : Number(digits);
}

const FIELDS = ["message", "responseBody", "code", "type", "data", "error", "response", "cause", "lastError", "errors"];
const MAX_OBJECTS = 50;

// Texts that providers and local servers were seen to answer with, from their public reports.
const OVERFLOW: readonly RegExp[] = [
  /prompt is too long/i,
  /exceeds? (the )?context (limit|window|length|size)/i,
  /exceeds? the (available |maximum |model'?s? )?(context|number of tokens)/i,
  /maximum (context|prompt) length/i,
  /context_length_exceeded|model_context_window_exceeded|request_too_large/i,
  /input token count .* exceeds/i,
  /greater than the context length/i,
  /exceeded model token limit/i,
  /reduce the length of (the )?(messages|prompt|input)/i,
  /input is too long/i,
];
const NOT_OVERFLOW = /per[- ]minute|tokens per (day|min)|rate.?limit|too many requests|quota/i;

const N = "([\\d,_]*\\d)";
const NUMBERS: readonly { readonly pattern: RegExp; readonly tokens?: number; readonly limit?: number }[] = [
  { pattern: new RegExp(`${N} tokens > ${N} maximum`, "i"), tokens: 1, limit: 2 },
  { pattern: new RegExp(`context limit: ${N} \\+ ${N} > ${N}`, "i"), tokens: 1, limit: 3 },
  { pattern: new RegExp(`input token count \\(?${N}\\)? exceeds .*?\\(?${N}\\)?`, "i"), tokens: 1, limit: 2 },
  {
    pattern: new RegExp(`maximum context length is ${N}[\\s\\S]*?\\(${N} in (?:the )?messages`, "i"),
    tokens: 2,
    limit: 1,
  },
  { pattern: new RegExp(`maximum context length is ${N}[\\s\\S]*?resulted in ${N}`, "i"), tokens: 2, limit: 1 },
  {
    pattern: new RegExp(`maximum context length is ${N}[\\s\\S]*?requested (?:about )?${N}`, "i"),
    tokens: 2,
    limit: 1,
  },
  { pattern: new RegExp(`maximum prompt length is ${N}[\\s\\S]*?contains ${N}`, "i"), tokens: 2, limit: 1 },
  { pattern: new RegExp(`\\(${N} tokens\\) exceeds the available context size \\(${N}`, "i"), tokens: 1, limit: 2 },
  { pattern: new RegExp(`token limit: ${N}[\\s\\S]*?requested: ${N}`, "i"), tokens: 2, limit: 1 },
  { pattern: new RegExp(`maximum (?:context|prompt) length (?:is|of) ${N}`, "i"), limit: 1 },
];
