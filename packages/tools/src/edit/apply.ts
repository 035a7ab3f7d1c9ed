// Pure: line edits to byte splices. What no splice covers is copied byte for byte.
import { encodeText } from "../encoding/encode.ts";
import type { ByteSource, LineBytes, LineIndex } from "./line-index.ts";
import type { LineEdit, Row } from "./ops.ts";

/** Replaces the bytes from `start` to `end` with the pieces. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Uint8Array[];
}

const PIECE_BYTES = 256 * 1024;

/**
 * The splices for sorted edits without overlap. A new line takes the ending of the line it replaces or follows; a last
 * line without ending stays without one.
 * @throws ToolError ENCODING_UNMAPPABLE
 */
export function spliceEdits(edits: readonly LineEdit[], index: LineIndex): readonly Splice[] {
  const encode = createRowEncoder(index);
  return joinAtEnd(edits, index.totalLines).map((edit) => {
    const rows = edit.rows.map(encode);
    return edit.last < edit.first ? insertion(edit.first, rows, index) : replacement(edit, rows, index);
  });
}

/** A file has one byte order mark: the one that new text at its start brings is the one it has. */
export function withoutSecondMark(edit: LineEdit, { encoding }: LineIndex): LineEdit {
  const [first, ...rest] = edit.rows;
  if (!encoding.bom || edit.first !== 1 || typeof first !== "string" || !first.startsWith("\ufeff")) return edit;
  return { ...edit, rows: [first.slice(1), ...rest] };
}

/** An edit without the rows at its ends that the file already holds there; undefined when nothing is left. */
export function narrowEdit(edit: LineEdit, index: LineIndex): LineEdit | undefined {
  const encode = createRowEncoder(index);
  const isSame = (line: number, row: Row | undefined): boolean => {
    if (row === undefined) return false;
    const { start, textEnd } = index.line(line);
    const encoded = encode(row);
    return encoded.length === textEnd - start && Buffer.compare(index.source.read(start, textEnd), encoded) === 0;
  };
  let { first, last } = edit;
  let from = 0;
  let to = edit.rows.length;
  while (first <= last && from < to && isSame(first, edit.rows[from])) {
    first += 1;
    from += 1;
  }
  while (first <= last && from < to && isSame(last, edit.rows[to - 1])) {
    last -= 1;
    to -= 1;
  }
  return first > last && from === to ? undefined : { ...edit, first, last, rows: edit.rows.slice(from, to) };
}

/** Passes the new content on, in pieces; `source` is read in bounded ones. */
export function writeSpliced(source: ByteSource, splices: readonly Splice[], sink: (bytes: Uint8Array) => void): void {
  const out = createCoalescer(sink);
  let position = 0;
  const copyTo = (end: number): void => {
    while (position < end) {
      const piece = source.read(position, Math.min(end, position + PIECE_BYTES));
      if (piece.length === 0) return;
      out.push(piece);
      position += piece.length;
    }
  };
  for (const { start, end, pieces } of splices) {
    copyTo(start);
    for (const piece of pieces) out.push(piece);
    position = end;
  }
  copyTo(source.size);
  out.flush();
}

/** An insertion at the very end belongs to the edit that reaches it: only together do they know which row is the last. */
function joinAtEnd(edits: readonly LineEdit[], totalLines: number): readonly LineEdit[] {
  const tail = edits.at(-1);
  const before = edits.at(-2);
  if (tail === undefined || before === undefined) return edits;
  const isTail = tail.first === totalLines + 1 && before.last === totalLines;
  return isTail ? [...edits.slice(0, -2), { ...before, rows: [...before.rows, ...tail.rows] }] : edits;
}

function insertion(first: number, rows: readonly Uint8Array[], index: LineIndex): Splice {
  const { totalLines, source, textStart } = index;
  if (first <= totalLines) {
    const { start } = index.line(first);
    const ending = endingNear(index, [first - 1, first]);
    return { start, end: start, pieces: rows.flatMap((row) => [row, ending]) };
  }
  const at = totalLines === 0 ? textStart : source.size;
  const last = totalLines === 0 ? undefined : index.line(totalLines);
  const ending = endingNear(index, [totalLines, totalLines - 1]);
  if (last === undefined || last.textEnd < last.end) {
    return { start: at, end: at, pieces: rows.flatMap((row) => [row, ending]) };
  }
  const pieces = rows.flatMap((row) => [ending, row]);
  return { start: at, end: at, pieces: rows.at(-1)?.length === 0 ? [...pieces, ending] : pieces };
}

function replacement({ first, last }: LineEdit, rows: readonly Uint8Array[], index: LineIndex): Splice {
  const lastLine = index.line(last);
  const isUnterminated = lastLine.textEnd === lastLine.end;
  const pieces: Uint8Array[] = [];
  for (const [offset, row] of rows.entries()) {
    const isLast = offset === rows.length - 1;
    const endsBare = isUnterminated && isLast && row.length > 0;
    const own = Math.min(first + offset, last);
    pieces.push(row, endsBare ? NOTHING : endingNear(index, [own, own - 1]));
  }
  return { start: index.line(first).start, end: lastLine.end, pieces };
}

const NOTHING = new Uint8Array(0);

/** The ending of the first of `lines` that has one; LF where none has. */
function endingNear(index: LineIndex, lines: readonly number[]): Uint8Array {
  for (const number of lines) {
    if (number < 1 || number > index.totalLines) continue;
    const { textEnd, end }: LineBytes = index.line(number);
    if (textEnd < end) return new Uint8Array(index.source.read(textEnd, end));
  }
  return encodeText("\n", index.encoding.name);
}

function createRowEncoder({ encoding }: LineIndex): (row: Row) => Uint8Array {
  return (row) => (typeof row === "string" ? encodeText(row, encoding.name) : row);
}

/** Joins small pieces, so that many short rows are not many system calls. */
function createCoalescer(sink: (bytes: Uint8Array) => void): { push(bytes: Uint8Array): void; flush(): void } {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let length = 0;
  const flush = (): void => {
    if (length > 0) sink(buffer.subarray(0, length));
    length = 0;
  };
  return {
    flush,
    push: (bytes) => {
      if (length + bytes.length > buffer.length) flush();
      if (bytes.length > buffer.length) {
        sink(bytes);
        return;
      }
      buffer.set(bytes, length);
      length += bytes.length;
    },
  };
}
