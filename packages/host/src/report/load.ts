// From files to a report, streaming.
import { readFile, stat } from "node:fs/promises";
import { estimateTokens } from "@spillway/limits";
import type { AgentName } from "./fact.ts";
import { FORMATS } from "./formats.ts";
import { createLedger } from "./ledger.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { type CountTexts, measure } from "./measure.ts";
import { type RecordLine, type RecordSource, recordSource } from "./records.ts";
import { createReport, type Report } from "./report.ts";

/** A session: its own transcript first, then those of agents it sent out. */
export interface Transcript {
  readonly agent: AgentName;
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly context: string }[];
}

export interface LoadOptions {
  readonly signal?: AbortSignal;
  /** Tokens of texts by a real tokenizer; without it they are estimated. */
  readonly exact?: CountTexts;
  /** Bytes that were read of how many. A reader that looks twice counts twice. */
  readonly onProgress?: (read: number, total: number) => void;
}

const ESTIMATE: CountTexts = (texts) => texts.map(estimateTokens);

/** @throws the errors of the file system, the abort reason */
export async function loadReport(transcript: Transcript, options: LoadOptions = {}): Promise<Report> {
  const { signal, exact, onProgress } = options;
  const files = await Promise.all(
    transcript.files.map(async (file) => ({ ...file, bytes: (await stat(file.path)).size })),
  );
  const passes = transcript.agent === "pi" ? 2 : 1;
  const total = passes * files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    onProgress?.(Math.min(read, total), total);
  };
  const ledger = createLedger();
  for (const { path, context } of files) {
    const source = sourceOf(path, { onBytes, ...(signal === undefined ? {} : { signal }) });
    const facts = FORMATS[transcript.agent].read(source, context);
    for await (const batch of measure(facts, exact ?? ESTIMATE)) for (const fact of batch) ledger.add(fact);
  }
  return createReport(ledger.finish(), {
    agent: transcript.agent,
    id: transcript.id,
    files: files.map(({ path, bytes }) => ({ path, bytes })),
    counting: exact === undefined ? "estimate" : "exact",
  });
}

interface SourceOptions {
  readonly signal?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

/** Lines of JSON; an older form of gemini-cli's is one object over many lines. */
export function sourceOf(path: string, options: SourceOptions = {}): RecordSource {
  if (!path.endsWith(".json")) return recordSource(path, options);
  return async function* whole(): AsyncGenerator<RecordLine> {
    const { size } = await stat(path);
    options.onBytes?.(size);
    if (size > MAX_LINE_BYTES) {
      yield { damage: { kind: "damage", reason: "oversized", bytes: size } };
      return;
    }
    const text = await readFile(path, { encoding: "utf8", signal: options.signal });
    yield parseWhole(text, size);
  };
}

function parseWhole(text: string, bytes: number): RecordLine {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { record: { ...value } };
  } catch {
    // Counted as damage below.
  }
  return { damage: { kind: "damage", reason: "not-json", bytes } };
}
