import type { AgentName, TextFact } from "./fact.ts";
import { isRecord, type Json, recordAt, stringAt } from "./json.ts";
import { readClaudeCode } from "./readers/claude-code.ts";
import { readCodex } from "./readers/codex.ts";
import { readGeminiCli } from "./readers/gemini-cli.ts";
import { isOldKimiMessage, readKimiCode } from "./readers/kimi-code.ts";
import { readPi } from "./readers/pi.ts";
import { readSpillway } from "./readers/spillway.ts";
import type { RecordSource } from "./records.ts";

/** Gives the facts of one transcript; `context` names whose it is, "main" or an agent that was sent out. */
export type TranscriptReader = (records: RecordSource, context: string) => AsyncGenerator<TextFact>;

interface Format {
  readonly read: TranscriptReader;
  /** Whether a record of a transcript's beginning can only be this agent's. */
  owns(record: Json): boolean;
}

export const FORMATS: Readonly<Record<AgentName, Format>> = {
  spillway: {
    read: readSpillway,
    owns: (record) => record.v === 1 && typeof record.t === "string" && typeof record.ts === "string",
  },
  codex: {
    read: readCodex,
    owns: (record) =>
      isRecord(record.payload) &&
      /^(session_meta|response_item|event_msg|turn_context|compacted)$/.test(typeOf(record)),
  },
  "kimi-code": {
    read: readKimiCode,
    owns: (record) =>
      (typeOf(record) === "metadata" && "protocol_version" in record) ||
      /^(context|turn)\./.test(typeOf(record)) ||
      isOldKimiMessage(record),
  },
  "gemini-cli": {
    read: readGeminiCli,
    owns: (record) =>
      typeOf(record) === "gemini" ||
      isRecord(record.$set) ||
      "projectHash" in record ||
      (stringAt(record, "sessionId") !== undefined && Array.isArray(record.messages)),
  },
  pi: {
    read: readPi,
    owns: (record) =>
      (typeOf(record) === "session" && typeof record.cwd === "string") ||
      (typeOf(record) === "message" && typeof recordAt(record, "message").role === "string"),
  },
  "claude-code": {
    read: readClaudeCode,
    owns: (record) =>
      (/^(user|assistant|system)$/.test(typeOf(record)) && (isRecord(record.message) || "uuid" in record)) ||
      (typeOf(record) === "summary" && "leafUuid" in record),
  },
};

function typeOf(record: Json): string {
  return typeof record.type === "string" ? record.type : "";
}

const LOOK_AT_LINES = 50;

/** Whose transcript it is, by its first lines; undefined if it is nobody's. */
export async function detectAgent(records: RecordSource): Promise<AgentName | undefined> {
  let looked = 0;
  for await (const line of records()) {
    looked += 1;
    if ("record" in line) {
      const found = agentOf(line.record);
      if (found !== undefined) return found;
    }
    if (looked >= LOOK_AT_LINES) return undefined;
  }
  return undefined;
}

export function agentOf(record: Json): AgentName | undefined {
  for (const [name, { owns }] of Object.entries(FORMATS)) if (owns(record)) return name as AgentName;
  return undefined;
}
