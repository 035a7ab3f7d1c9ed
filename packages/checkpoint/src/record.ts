import type { ModelMessage, UserMessage } from "./message.ts";

/** In the middle of a turn, or after the last turn ended by itself. */
export type CheckpointMode = "active_turn" | "completed_turn";
/** Whether a model writes what is carried over, or a fixed text says that the history was reset. */
export type CheckpointFamily = "summary" | "fresh_window";

export interface RetainedMessage {
  readonly id: string;
  readonly message: UserMessage;
}

/** What a checkpoint puts in the place of earlier messages. */
export type CheckpointContent = Pick<Checkpoint, "throughId" | "summary" | "lead" | "retained" | "tail">;

/** Why no model's summary stands here, and the last checkpoint that has one: the next starts over from that. */
export interface Fallback {
  readonly reason: string;
  readonly base?: CheckpointContent;
}

/** What the model is told instead of everything up to `throughId`. Plain JSON: stored and read back without a change. */
export interface Checkpoint {
  /** 1 for the first of a session. */
  readonly generation: number;
  /** The last entry it stands for. */
  readonly throughId: string;
  readonly mode: CheckpointMode;
  readonly family: CheckpointFamily;
  readonly summary: string;
  /** The newest user message, shortened if it crossed the retained budget. */
  readonly retained?: RetainedMessage;
  /** Messages kept from before the retained user message. */
  readonly lead?: readonly ModelMessage[];
  /** Messages kept from after it: the open batch. */
  readonly tail?: readonly ModelMessage[];
  /** Estimated tokens of the request before and after, fixed tokens included. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly fallback?: Fallback;
}

/** A stored record as a checkpoint, or undefined if it is none. A record without a mode is one of an active turn. */
export function parseCheckpoint(record: Readonly<Record<string, unknown>>): Checkpoint | undefined {
  const { generation, mode = "active_turn", family = "summary", tokensBefore = 0, tokensAfter = 0 } = record;
  const content = parseContent(record);
  const fallback = parseFallback(record.fallback);
  if (typeof generation !== "number" || content === undefined || fallback === null) return undefined;
  if (mode !== "active_turn" && mode !== "completed_turn") return undefined;
  if (family !== "summary" && family !== "fresh_window") return undefined;
  if (typeof tokensBefore !== "number" || typeof tokensAfter !== "number") return undefined;
  const common: Checkpoint = { generation, mode, family, ...content, tokensBefore, tokensAfter };
  return fallback === undefined ? common : { ...common, fallback };
}

function parseContent(record: Readonly<Record<string, unknown>>): CheckpointContent | undefined {
  const { throughId, summary, lead, retained, tail } = record;
  if (typeof throughId !== "string" || typeof summary !== "string") return undefined;
  if (lead !== undefined && !isMessages(lead)) return undefined;
  if (retained !== undefined && !isRetained(retained)) return undefined;
  if (tail !== undefined && !isMessages(tail)) return undefined;
  return {
    throughId,
    summary,
    ...(lead === undefined ? {} : { lead }),
    ...(retained === undefined ? {} : { retained }),
    ...(tail === undefined ? {} : { tail }),
  };
}

// Null stands for a broken one, undefined for none.
function parseFallback(value: unknown): Fallback | undefined | null {
  if (value === undefined) return undefined;
  if (!isRecord(value) || typeof value.reason !== "string") return null;
  if (value.base === undefined) return { reason: value.reason };
  const base = isRecord(value.base) ? parseContent(value.base) : undefined;
  return base === undefined ? null : { reason: value.reason, base };
}

/** Whether a stored value has the shape of a message; its parts are taken as they were written. */
export function isMessage(value: unknown): value is ModelMessage {
  if (!isRecord(value)) return false;
  const { role, content } = value;
  if (typeof content === "string") return role === "user" || role === "assistant" || role === "system";
  if (role !== "user" && role !== "assistant" && role !== "tool") return false;
  return Array.isArray(content) && content.every((part) => isRecord(part) && typeof part.type === "string");
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMessages(value: unknown): value is ModelMessage[] {
  return Array.isArray(value) && value.every(isMessage);
}

function isRetained(value: unknown): value is RetainedMessage {
  return isRecord(value) && typeof value.id === "string" && isMessage(value.message) && value.message.role === "user";
}
