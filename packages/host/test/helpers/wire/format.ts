/** What a fake server answers with. */
export interface WireReply {
  readonly text?: string;
  readonly calls?: readonly WireCall[];
  /** Why it stops, in the format's own word; by default because it is done, or for its calls. */
  readonly stop?: string;
}

export interface WireCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** The arguments as they are written, where they are not JSON. */
  readonly json?: string;
}

/** One provider's wire format, as strict about a request as its real server. */
export interface WireFormat {
  /** The path the client posts to, below the base URL. */
  readonly path: string;
  /** What the real server would refuse the body for. */
  problem(body: Body): string | undefined;
  /** How many answers of the assistant the body holds. */
  answers(body: Body): number;
  /** Whether tools are offered; a request for a summary offers none. */
  hasTools(body: Body): boolean;
  /** The answer as server-sent events. */
  events(reply: WireReply, inputTokens: number): string[];
  error(status: number, message: string): unknown;
  /** The event that tells of an error in the middle of a stream. */
  errorEvent(code: string, message: string): string;
}

export type Body = Readonly<Record<string, unknown>>;

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A list of records in a field of a body. */
export function list(body: unknown, field: string): Body[] {
  const value: unknown = Reflect.get(Object(body), field);
  return Array.isArray(value) ? value.map((item) => ({ ...Object(item) })) : [];
}

/** The text in pieces, as a stream brings it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,65536}/g) ?? [];
}
