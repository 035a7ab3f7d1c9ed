// Terminal noise out of a byte stream, whatever way it is cut into chunks. Pure.

/** Takes colour, cursor and title sequences out of a stream and keeps the last state of a redrawn line. It never takes an LF. */
export interface Fold {
  /** Nothing to fold in the chunk and nothing pending from before: what comes in goes out. */
  isPlain(chunk: Uint8Array): boolean;
  /** Takes note of a plain chunk that the caller passes on by itself; its unfinished last line may still be redrawn. */
  skip(chunk: Uint8Array): void;
  /** Bytes of the unfinished line that `skip` has seen and that the caller has to take back before its first `push`. */
  unfinished(): Uint8Array;
  /** The bytes that are settled by now; an unfinished line is held back. */
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back. */
  finish(): Uint8Array;
}

const BACKSPACE = 0x08;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BELL = 0x07;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const ESCAPE = 0x1b;
/** A line is held back for a redraw up to this many bytes; beyond, its beginning is settled. */
export const MAX_REDRAW_BYTES = 65_536;
/** No control sequence is longer; the rest of a longer one is text. */
const MAX_SEQUENCE_BYTES = 256;

// Numbers, not names: they are looked at for every byte of a coloured stream.
const TEXT = 0;
const ESCAPED = 1;
const INTERMEDIATE = 2;
const SEQUENCE = 3;
const STRING = 4;
/** The sequence is over before this byte, which is text or another control. */
const AGAIN = 5;
type Mode = typeof TEXT | typeof ESCAPED | typeof INTERMEDIATE | typeof SEQUENCE | typeof STRING;

const ERASE_LINE = 0x4b;
const CURSOR_TO_COLUMN = 0x47;
const CURSOR_LEFT = 0x44;

export function createFold(): Fold {
  let mode: Mode = TEXT;
  /** The one number a cursor sequence has; -1 when there is none, NaN when there is more than that. */
  let parameter = -1;
  let sequenceBytes = 0;
  /** The cursor stands at the beginning of the line: the next text replaces it. */
  let atStart = false;
  let afterReturn = false;
  /** How many characters the cursor stands before the end of the line. */
  let back = 0;
  /** The unfinished line: the first `heldBytes` of it. */
  let held: Uint8Array = new Uint8Array(0);
  let heldBytes = 0;

  // The chunk is folded in place into `out`; `line` is where the unfinished line begins, `end` where the next byte goes.
  let out = new Uint8Array(0);
  let line = 0;
  let end = 0;

  const settle = (): void => {
    line = end;
  };
  /** The first byte that may be taken back: half of a character that was settled before it is not one. */
  const floor = (): number => {
    let first = line;
    while (first < end && first < line + 3 && isContinuation(out[first])) first++;
    return first;
  };
  const clearLine = (): void => {
    end = floor();
    back = 0;
  };
  const text = (byte: number): void => {
    if (atStart) clearLine();
    else if (back > 0) {
      const first = floor();
      for (; back > 0 && end > first; back--) {
        do end--;
        while (end > first && isContinuation(out[end]));
      }
      back = 0;
    }
    atStart = false;
    out[end++] = byte;
    if (end - line >= MAX_REDRAW_BYTES) settle();
  };
  const lineFeed = (): void => {
    if (afterReturn) out[end++] = CARRIAGE_RETURN;
    out[end++] = LINE_FEED;
    atStart = false;
    back = 0;
    settle();
  };
  const sequence = (final: number): void => {
    if (final === ERASE_LINE && (parameter === 2 || (atStart && parameter <= 0))) clearLine();
    else if (final === CURSOR_TO_COLUMN && parameter <= 1) atStart = true;
    else if (final === CURSOR_LEFT) back = Math.min(back + Math.abs(parameter || 0), MAX_REDRAW_BYTES);
  };
  const control = (byte: number): void => {
    if (byte === CARRIAGE_RETURN) {
      atStart = true;
      back = 0;
    } else if (byte === BACKSPACE) back = Math.min(back + 1, MAX_REDRAW_BYTES);
    else if (byte === ESCAPE) enter(ESCAPED);
    else if (byte === LINE_FEED) lineFeed();
    else text(byte);
    afterReturn = byte === CARRIAGE_RETURN;
  };
  const enter = (next: Mode): void => {
    mode = next;
    parameter = -1;
    sequenceBytes = 0;
  };
  const take = (byte: number): void => {
    if (mode === TEXT) {
      if (byte < 0x20) control(byte);
      else {
        text(byte);
        afterReturn = false;
      }
      return;
    }
    sequenceBytes += 1;
    const next = nextMode(mode, byte, sequenceBytes);
    if (next === AGAIN) {
      enter(TEXT);
      take(byte);
      return;
    }
    if (mode === SEQUENCE) {
      if (next === TEXT) sequence(byte);
      else parameter = byte >= 0x30 && byte <= 0x39 ? Math.max(parameter, 0) * 10 + byte - 0x30 : Number.NaN;
    }
    if (next !== mode) enter(next);
  };

  /** The two things coloured output is made of, at once: text up to the next control, or a colour. 0: neither is next. */
  const takeRun = (chunk: Uint8Array, at: number): number => {
    const colour = colourBytes(chunk, at);
    if (colour > 0) afterReturn = false;
    return colour > 0 || atStart || back > 0 ? colour : copyRun(chunk, at);
  };
  const copyRun = (chunk: Uint8Array, from: number): number => {
    // Locals: what a closure shares is looked up again for every byte.
    const into = out;
    let at = from;
    let next = end;
    for (let byte = chunk[at]; byte !== undefined && byte >= 0x20; byte = chunk[++at]) into[next++] = byte;
    end = next;
    if (at > from) afterReturn = false;
    if (end - line >= MAX_REDRAW_BYTES) line += Math.floor((end - line) / MAX_REDRAW_BYTES) * MAX_REDRAW_BYTES;
    return at - from;
  };

  return {
    isPlain: (chunk) =>
      mode === TEXT &&
      !atStart &&
      back === 0 &&
      !chunk.includes(ESCAPE) &&
      !chunk.includes(CARRIAGE_RETURN) &&
      !chunk.includes(BACKSPACE),
    skip: (chunk) => {
      const begin = chunk.lastIndexOf(LINE_FEED) + 1;
      const before = begin === 0 ? heldBytes : 0;
      const kept = (before + chunk.length - begin) % MAX_REDRAW_BYTES;
      const fromChunk = Math.min(kept, chunk.length - begin);
      const fromBefore = kept - fromChunk;
      if (kept > held.length) {
        const grown = new Uint8Array(Math.min(MAX_REDRAW_BYTES, kept * 2));
        grown.set(held.subarray(0, heldBytes));
        held = grown;
      }
      held.copyWithin(0, before - fromBefore, before);
      held.set(chunk.subarray(chunk.length - fromChunk), fromBefore);
      heldBytes = kept;
    },
    unfinished: () => held.subarray(0, heldBytes),
    push: (chunk) => {
      // A return that waited for its line feed needs one byte more than came in.
      out = new Uint8Array(heldBytes + chunk.length + 1);
      out.set(held.subarray(0, heldBytes));
      line = 0;
      end = heldBytes;
      for (let at = 0; at < chunk.length; ) {
        const run = mode === TEXT ? takeRun(chunk, at) : 0;
        if (run === 0) take(chunk[at] ?? 0);
        at += Math.max(run, 1);
      }
      held = out.slice(line, end);
      heldBytes = held.length;
      return out.subarray(0, line);
    },
    finish: () => {
      const last = held.subarray(0, heldBytes);
      heldBytes = 0;
      return last;
    },
  };
}

function nextMode(mode: Mode, byte: number, sequenceBytes: number): Mode | typeof AGAIN {
  if (mode === STRING) {
    if (byte === BELL || byte === CANCEL || byte === SUBSTITUTE) return TEXT;
    // Its end is ESC and a backslash; an LF is never swallowed.
    return byte === ESCAPE || byte === LINE_FEED ? AGAIN : STRING;
  }
  if (byte === CANCEL || byte === SUBSTITUTE) return TEXT;
  if (byte < 0x20 || byte > 0x7e || sequenceBytes > MAX_SEQUENCE_BYTES) return AGAIN;
  if (mode === SEQUENCE) return byte >= 0x40 ? TEXT : SEQUENCE;
  if (byte < 0x30) return INTERMEDIATE;
  if (mode === INTERMEDIATE) return TEXT;
  if (byte === 0x5b) return SEQUENCE;
  // ] P X ^ _
  return byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f ? STRING : TEXT;
}

/** The length of a whole colour sequence (`ESC [ … m`) at `from`; 0 when there is none. */
function colourBytes(chunk: Uint8Array, from: number): number {
  if (chunk[from] !== ESCAPE || chunk[from + 1] !== 0x5b) return 0;
  let at = from + 2;
  for (let byte = chunk[at]; byte !== undefined && byte >= 0x30 && byte <= 0x3f; byte = chunk[++at]);
  return chunk[at] === 0x6d && at - from < MAX_SEQUENCE_BYTES ? at + 1 - from : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
