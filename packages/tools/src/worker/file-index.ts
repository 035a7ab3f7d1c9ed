// What one pass over a file leaves behind: its totals and a sparse index. Structured-clone values; the index is shared memory.
import type { EncodingName, FileEncoding } from "../encoding.ts";

/** Text of the file in front of a byte offset; the offset is always a character border. */
export interface Checkpoint {
  readonly offset: number;
  /** Line feeds before `offset`. */
  readonly lines: number;
  /** Code points before `offset`, the byte order mark not counted. */
  readonly chars: number;
}

export interface LineEndings {
  /** Line feeds without a carriage return in front. */
  readonly lf: number;
  readonly crlf: number;
  /** Carriage returns that end no line. */
  readonly loneCr: number;
}

export interface FileIndex {
  /** Device, inode, size and nanosecond times of the version that was read. */
  readonly identity: string;
  /** False: the file was so young that a later change could have left the same times. */
  readonly trusted: boolean;
  /** The `encoding` argument that the verdict rests on; undefined when the bytes alone decided. */
  readonly asked: EncodingName | undefined;
  readonly encoding: FileEncoding;
  /** Every byte is valid UTF-8: characters are counted and found by bytes. */
  readonly plainUtf8: boolean;
  readonly bytes: number;
  /** XXH64 over the bytes, 16 lower-case hex digits. */
  readonly hash: string;
  readonly totalLines: number;
  readonly endings: LineEndings;
  /** U+FFFD shown for bytes that the encoding cannot explain. */
  readonly undecodable: number;
  /** `checkpointCount` times offset, lines, chars, as 64-bit floats; the first is the start of the text. */
  readonly checkpoints: SharedArrayBuffer;
}

const FIELDS = 3;
/** 192 KB at most for one file; a fuller index is thinned to every second checkpoint. */
const MAX_CHECKPOINTS = 8192;
/** Room that nearly every file has enough of. */
const FIRST_CHECKPOINTS = 16;
/** Distance of two checkpoints in bytes, until the index was thinned. */
export const CHECKPOINT_BYTES: number = 64 * 1024;

export interface CheckpointWriter {
  /** The smallest offset at which the next checkpoint is wanted. */
  readonly wanted: number;
  add(checkpoint: Checkpoint): void;
  finish(): SharedArrayBuffer;
}

export function createCheckpointWriter(textStart: number): CheckpointWriter {
  let kept = new Float64Array(FIRST_CHECKPOINTS * FIELDS);
  kept[0] = textStart;
  let count = 1;
  let stride = CHECKPOINT_BYTES;
  let wanted = stride;

  const thin = (): void => {
    for (let index = 0; index * 2 < count; index++) {
      kept.copyWithin(index * FIELDS, index * 2 * FIELDS, (index * 2 + 1) * FIELDS);
    }
    count = Math.ceil(count / 2);
    // Wider where the scan could not keep the distance: new checkpoints lie as far apart as the old ones.
    stride = Math.max(2 * stride, Math.ceil((kept[(count - 1) * FIELDS] ?? 0) / count));
  };
  return {
    get wanted() {
      return wanted;
    },
    add: ({ offset, lines, chars }) => {
      if (offset < wanted) return;
      if (count === MAX_CHECKPOINTS) thin();
      if (count * FIELDS === kept.length) kept = grown(kept);
      kept.set([offset, lines, chars], count * FIELDS);
      count += 1;
      wanted = offset + stride;
    },
    finish: () => {
      const shared = new SharedArrayBuffer(count * FIELDS * Float64Array.BYTES_PER_ELEMENT);
      new Float64Array(shared).set(kept.subarray(0, count * FIELDS));
      return shared;
    },
  };
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** The last checkpoint of which `isBefore` holds; it holds for the first one and stops holding once. */
export function lastCheckpoint(index: FileIndex, isBefore: (checkpoint: Checkpoint) => boolean): Checkpoint {
  return checkpointAt(index, firstNot(index, isBefore) - 1);
}

function firstNot(index: FileIndex, isBefore: (checkpoint: Checkpoint) => boolean): number {
  let low = 1;
  let high = countOf(index);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(checkpointAt(index, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countOf({ checkpoints }: FileIndex): number {
  return checkpoints.byteLength / (FIELDS * Float64Array.BYTES_PER_ELEMENT);
}

function checkpointAt({ checkpoints }: FileIndex, at: number): Checkpoint {
  const [offset = 0, lines = 0, chars = 0] = new Float64Array(checkpoints, at * FIELDS * 8, FIELDS);
  return { offset, lines, chars };
}
