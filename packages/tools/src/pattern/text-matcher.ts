// Finds matches that may cross line ends, and where they begin and end, in time linear in the text. Over UTF-8 bytes whose
// line ends are line feeds. The deterministic automaton tells whether there is a match; where it lies (the leftmost one, and
// of those the one that the pattern prefers) is found by running the program itself over that stretch alone.
import { INVALID } from "./classifier.ts";
import type { Instruction, Program } from "./program.ts";
import {
  bitsAfter,
  bitsBehind,
  createStateTable,
  DEAD,
  END,
  holds,
  LINE_BIT,
  MATCH,
  type StateTable,
  TEXT_BIT,
} from "./state-table.ts";
import { codeBefore, decodeCode, widthOf } from "./utf8.ts";

export interface Extent {
  readonly start: number;
  /** Behind the last byte of the match. */
  readonly end: number;
}

export interface TextMatcher {
  /** The first match in the whole text `bytes` that begins at or after `from`, a character border. */
  find(bytes: Uint8Array, from: number): Extent | undefined;
}

/** @param checkpoint called now and then, so that a long search can be stopped. */
export function createTextMatcher(program: Program, checkpoint: () => void): TextMatcher {
  const table = createStateTable(program, { acrossLines: true, keepReturns: true, checkpoint });
  return {
    find: (bytes, from) => {
      const firstEnd = endOfFirst(table, bytes, from);
      if (firstEnd === -1) return undefined;
      return preferred(program, table, bytes, lastIdle(table, bytes, from, firstEnd), checkpoint);
    },
  };
}

/** What stands in front of a place, as the state that a search begins with. */
function startState(table: StateTable, bytes: Uint8Array, from: number): number {
  return table.idle(bitsAt(table, bytes, from));
}

function bitsAt({ classes }: StateTable, bytes: Uint8Array, from: number): number {
  if (from === 0) return LINE_BIT | TEXT_BIT;
  return bitsBehind(classes, classAt(classes, bytes, codeBefore(bytes, from)));
}

function classAt({ ofAscii, ofCode }: StateTable["classes"], bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return ofAscii[byte] as number;
  const code = decodeCode(bytes, at, bytes.length);
  return code === -1 ? INVALID : ofCode(code);
}

function widthAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return 1;
  const code = decodeCode(bytes, at, bytes.length);
  return code === -1 ? 1 : widthOf(code);
}

/** Where the match ends that ends first; -1 when there is none. */
function endOfFirst(table: StateTable, bytes: Uint8Array, from: number): number {
  const { classes } = table;
  const { ofAscii } = classes;
  let state = startState(table, bytes, from);
  let { rows } = table;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      const next = rows[state + (ofAscii[byte] as number)] as number;
      if (next >= 0) {
        state = next;
        at += 1;
        continue;
      }
    }
    const cls = classAt(classes, bytes, at);
    if (cls >= table.stride) state = table.widen(state);
    const next = table.entry(state, cls);
    rows = table.rows;
    if (next === MATCH) return at;
    if (next === DEAD) {
      const feed = bytes.indexOf(10, at);
      if (feed === -1) return -1;
      state = table.idle(LINE_BIT);
      rows = table.rows;
      at = feed + 1;
    } else {
      state = next;
      at += widthAt(bytes, at);
    }
  }
  return table.entry(state, END) === MATCH ? bytes.length : -1;
}

/** The last place up to `end` where no match had begun: none that is found at `end` begins before it. */
function lastIdle(table: StateTable, bytes: Uint8Array, from: number, end: number): number {
  let state = startState(table, bytes, from);
  let idle = from;
  for (let at = from; at < end; ) {
    if (table.isIdle(state)) idle = at;
    const cls = classAt(table.classes, bytes, at);
    if (cls >= table.stride) state = table.widen(state);
    const next = table.entry(state, cls);
    if (next === DEAD) {
      at = bytes.indexOf(10, at) + 1;
      state = table.idle(LINE_BIT);
    } else {
      state = next;
      at += widthAt(bytes, at);
    }
  }
  return table.isIdle(state) ? end : idle;
}

const CHECK_EVERY = 65_536;

/** The leftmost match from `from` on, by trying all ways at once in the order that the pattern prefers. */
function preferred(
  { instructions, start }: Program,
  table: StateTable,
  bytes: Uint8Array,
  from: number,
  checkpoint: () => void,
): Extent | undefined {
  const { classes } = table;
  const marks = new Uint32Array(instructions.length);
  let mark = 0;
  let ways: Way[] = [];
  let found: Extent | undefined;
  let before = bitsAt(table, bytes, from);
  for (let at = from; ; ) {
    mark += 1;
    if (mark % CHECK_EVERY === 0) checkpoint();
    const cls = at < bytes.length ? classAt(classes, bytes, at) : END;
    const after = bitsAfter(classes, cls);
    if (found === undefined) ways.push({ position: start, start: at });
    const next: Way[] = [];
    // Ways not yet followed, the preferred one last.
    const pending = ways.reverse();
    for (let way = pending.pop(); way !== undefined; way = pending.pop()) {
      if (marks[way.position] === mark) continue;
      marks[way.position] = mark;
      const instruction = instructions[way.position] as Instruction;
      if (instruction.op === "match") {
        found = { start: way.start, end: at };
        break;
      }
      if (instruction.op === "set") {
        if (cls !== END && classes.inSet(cls, instruction.set)) next.push({ ...way, position: instruction.next });
      } else if (instruction.op === "split") {
        for (const position of instruction.next.toReversed()) pending.push({ ...way, position });
      } else if (holds(instruction.at, instruction.ascii, before, after)) {
        pending.push({ ...way, position: instruction.next });
      }
    }
    if (cls === END || (next.length === 0 && found !== undefined)) return found;
    ways = next;
    before = bitsBehind(classes, cls);
    at += widthAt(bytes, at);
  }
}

interface Way {
  readonly position: number;
  /** Where its match began. */
  readonly start: number;
}
