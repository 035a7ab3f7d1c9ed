// Foreign JSON: every look into it goes through here and finds either what it asks for or nothing.

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The record at a path of names, an empty one if there is none. */
export function recordAt(value: unknown, ...path: readonly string[]): Json {
  let at: unknown = value;
  for (const name of path) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return isRecord(at) ? at : {};
}

export function stringAt(record: Json, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberAt(record: Json, name: string): number | undefined {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The records of a list; anything else in it is passed over. */
export function recordsAt(record: Json, name: string): readonly Json[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The sum of those that are numbers, undefined if none is. */
export function sumAt(record: Json, ...names: readonly string[]): number | undefined {
  const numbers = names.map((name) => numberAt(record, name)).filter((value) => value !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0);
}

export interface Content {
  readonly text: string;
  readonly images: number;
}

/** Text and number of images of a content in any of the usual shapes: a string, parts, or something that is sent as JSON. */
export function contentOf(value: unknown): Content {
  if (typeof value === "string") return { text: value, images: 0 };
  if (value === undefined || value === null) return { text: "", images: 0 };
  if (!Array.isArray(value)) return partContent(value);
  const parts = value.map(partContent);
  return {
    text: parts.map(({ text }) => text).join(""),
    images: parts.reduce((sum, { images }) => sum + images, 0),
  };
}

function partContent(part: unknown): Content {
  if (typeof part === "string") return { text: part, images: 0 };
  if (!isRecord(part)) return { text: JSON.stringify(part) ?? "", images: 0 };
  if (typeof part.text === "string") return { text: part.text, images: 0 };
  if (typeof part.thinking === "string") return { text: part.thinking, images: 0 };
  if (typeof part.think === "string") return { text: part.think, images: 0 };
  const type = typeof part.type === "string" ? part.type : "";
  const isData = isRecord(part.inlineData) || isRecord(part.fileData);
  if (isData || /image|audio|video|file|document/.test(type)) return { text: "", images: 1 };
  if (isRecord(part.functionResponse)) return functionResponse(part.functionResponse);
  return { text: JSON.stringify(part), images: 0 };
}

function functionResponse(answer: Json): Content {
  const response = recordAt(answer, "response");
  const { output } = response;
  const text = typeof output === "string" ? output : JSON.stringify(response);
  return { text, images: recordsAt(answer, "parts").length };
}

/** Arguments that were written as JSON text, or as they are. */
export function argumentsOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // Some tools take plain text.
    return { input: value };
  }
}

/** `{ [name]: value }`, or nothing without a value. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
