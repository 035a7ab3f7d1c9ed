// Pure: ops on a text in memory.
import { decodeBytes, decodePiece, detectEncoding, UTF8 } from "../encoding.ts";
import { ToolError } from "../error.ts";
import type { LineRange } from "../line-ranges.ts";
import { narrowEdit, spliceEdits, writeSpliced } from "./apply.ts";
import type { Blocks } from "./blocks.ts";
import { captureLines } from "./capture.ts";
import { countChanges, type Hunk, hunksOf } from "./hunks.ts";
import { indexLines, type LineIndex, memorySource } from "./line-index.ts";
import { type LowerContext, lowerOps, spansOf } from "./lower.ts";
import type { LineOp, ResolvedSpan } from "./ops.ts";
import { parseOps } from "./parse.ts";

export interface ApplyOptions {
  /** Registers that earlier texts filled; rows without line endings. */
  readonly registers?: ReadonlyMap<string, readonly string[]>;
  /** Needed for ops that name blocks, see `openBlocks`. */
  readonly blocks?: Pick<Blocks, "block">;
}

interface Applied {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** Hunks beyond those that are listed. */
  readonly omittedHunks: number;
  /** What each op came to, in their order. */
  readonly spans: readonly ResolvedSpan[];
  /** Registers that the ops filled. */
  readonly captured: ReadonlyMap<string, readonly string[]>;
}

export interface AppliedBytes extends Applied {
  readonly bytes: Uint8Array;
}

export interface AppliedText extends Applied {
  readonly text: string;
}

/**
 * Applies the text of `ops` to a file's bytes in whatever encoding they are. Lines that no op names stay byte for byte.
 * @throws ToolError of `parseOps` and `lowerOps`; INVALID_ARGUMENT for `REM` and `MV`, which act on files.
 */
export function applyOps(bytes: Uint8Array, ops: string, options: ApplyOptions = {}): AppliedBytes {
  return applyTo(indexLines(memorySource(bytes), detectEncoding(bytes)), ops, options);
}

/** The same for a string. */
export function applyOpsToText(text: string, ops: string, options: ApplyOptions = {}): AppliedText {
  const { bytes, ...applied } = applyTo(indexLines(memorySource(Buffer.from(text)), UTF8), ops, options);
  return { ...applied, text: decodeBytes(bytes, UTF8) };
}

function applyTo(index: LineIndex, text: string, options: ApplyOptions): AppliedBytes {
  const ops = parseOps(text).ops.filter(isLineOp);
  const { edits, captured } = lowerOps(ops, lowerContext(index, options));
  const narrowed = edits.map((edit) => narrowEdit(edit, index)).filter((edit) => edit !== undefined);
  const pieces: Uint8Array[] = [];
  writeSpliced(index.source, spliceEdits(narrowed, index), (piece) => pieces.push(new Uint8Array(piece)));
  const rowText = (row: Uint8Array): string => decodePiece(row, index.encoding.name);
  return {
    bytes: Buffer.concat(pieces),
    ...countChanges(narrowed),
    ...hunksOf(narrowed, index),
    spans: spansOf(edits, ops),
    captured: new Map([...captured].map(([name, rows]) => [name, rows.map(rowText)])),
  };
}

function isLineOp(op: { readonly kind: string; readonly source: string }): op is LineOp {
  if (op.kind !== "remove" && op.kind !== "move") return true;
  throw new ToolError("INVALID_ARGUMENT", `"${op.source}" acts on a file, not on a text`, { next: "leave it out" });
}

function lowerContext(index: LineIndex, { registers, blocks }: ApplyOptions): LowerContext {
  return {
    totalLines: index.totalLines,
    admit: () => undefined,
    block: (line, op): LineRange => {
      if (blocks !== undefined) return blocks.block(line, op);
      throw new ToolError("EDIT_BLOCK_UNRESOLVED", `"${op}" names a block, and no blocks were given`, {
        next: 'pass "blocks" from openBlocks, or name the lines',
      });
    },
    capture: (first, last) => captureLines(index, first, last),
    register: (name) => registers?.get(name),
  };
}
