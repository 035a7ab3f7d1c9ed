// The deterministic automaton's states, made as the text asks for them, in bounded memory.

import { MAX_ENTRIES, type SearchKernel } from "../worker/kernel/search.ts";
import {
  ASCII_WORD_BIT,
  CARRIAGE_RETURN,
  type Classifier,
  createClassifier,
  LINE_FEED,
  NO_CLASS,
  TEXT_FEED,
  WORD_BIT,
} from "./classifier.ts";
import type { Instruction, Program } from "./program.ts";
import type { Assertion } from "./syntax.ts";

/** What a transition leads to when not to a state. */
export const UNKNOWN = -1;
/** A match ends before this character. */
export const MATCH = -2;
/** No match can come of it before the next line. */
export const DEAD = -3;
/** A carriage return: it depends on what follows. */
export const RETURN = -4;

/** Asked for in place of a class where the text (or the line) ends. */
export const END: number = LINE_FEED;

export const LINE_BIT = 4;
export const TEXT_BIT = 8;

const CHECK_EVERY = 1024;
/** Where more of the 128 ASCII bytes than this may begin a match, little can be passed over. */
const MAX_STOPS = 80;

export interface StateTableOptions {
  /** A match may cross line ends: a line feed is a character like others. */
  readonly acrossLines: boolean;
  /** Carriage returns are text even before a line feed; for patterns that name them. */
  readonly keepReturns: boolean;
  /** Called now and then while many states are made, so that a thrashing search can be stopped. */
  readonly checkpoint: () => void;
  /** The table is kept where vector code can walk it. */
  readonly kernel?: SearchKernel | undefined;
}

export interface StateTable {
  readonly classes: Classifier;
  /** The entry of a state (an offset) and a class; replaced whenever `entry` or `widen` is called. */
  rows: Int32Array;
  /** Classes that a row has room for. */
  stride: number;
  /** Where a state leads with a class: a state or one of the negative answers. */
  entry(state: number, cls: number): number;
  /** Makes room for classes that turned up late; the same state afterwards. */
  widen(state: number): number;
  /** The state in which no match has begun; `before` says what stands in front. */
  idle(before: number): number;
  isIdle(state: number): boolean;
  /** States up to this one are idle; -1 where it is no use to know. */
  lastIdle: number;
  /** Takes the kernel's table, of which there is one a thread; what was known is forgotten if another had it. */
  own(): void;
}

interface State {
  readonly positions: readonly number[];
  /** What stands in front: bits of the last character, `LINE_BIT` and `TEXT_BIT` at the start of a line and of the text. */
  readonly before: number;
}

export function createStateTable(program: Program, options: StateTableOptions): StateTable {
  const { instructions } = program;
  const { acrossLines, keepReturns, checkpoint, kernel } = options;
  const { words, mask } = askedOf(program);
  const classes = createClassifier(program.sets, words);
  if (keepReturns) classes.ofAscii[13] = classes.textReturn;
  if (acrossLines) classes.ofAscii[10] = TEXT_FEED;
  // Without a line's start behind it, can a match still begin?
  const floating = beginsAnywhere(program);
  const marks = new Uint32Array(instructions.length);
  let mark = 0;
  let made = 0;
  /** Entries of `rows` that can be used. */
  let ready = 0;
  let states: State[] = [];
  let offsets = new Map<string, number>();

  const intern = (state: State): number => {
    const key = `${state.before}:${state.positions.join()}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const offset = states.length * table.stride;
    if (offset + table.stride > ready) grow();
    states.push(state);
    offsets.set(key, offset);
    if (!keepReturns) table.rows[offset + CARRIAGE_RETURN] = RETURN;
    return offset;
  };
  const grow = (): void => {
    const wanted = Math.min(MAX_ENTRIES, Math.max(64 * table.stride, 2 * ready));
    if (kernel === undefined) {
      const { rows } = table;
      table.rows = new Int32Array(wanted);
      table.rows.set(rows.subarray(0, ready));
    }
    table.rows.fill(UNKNOWN, ready, wanted);
    ready = wanted;
  };
  const idle = (before: number): number => intern({ positions: [], before: before & mask });
  const forget = (): void => {
    table.stride = 2 ** Math.ceil(Math.log2(classes.count() + 8));
    table.rows = kernel?.table ?? new Int32Array(0);
    ready = 0;
    states = [];
    offsets = new Map();
    for (const before of [LINE_BIT | TEXT_BIT, 0, LINE_BIT, WORD_BIT, WORD_BIT | ASCII_WORD_BIT]) idle(before);
    if (table.lastIdle !== -1) table.lastIdle = (states.length - 1) * table.stride;
  };
  /** Whether a byte leads from idle states to idle states only. */
  const isDull = (byte: number, idles: readonly number[]): boolean => {
    const cls = classes.ofAscii[byte] as number;
    const asked = cls === CARRIAGE_RETURN ? [END, classes.textReturn] : [cls];
    return idles.every((state) => asked.every((of) => idles.includes(table.entry(state, of))));
  };
  const own = (): void => {
    if (kernel === undefined || kernel.owner === table) return;
    kernel.owner = table;
    kernel.classes.fill(NO_CLASS);
    kernel.classes.set(classes.ofAscii);
    forget();
    const idles = states.map((_, index) => index * table.stride);
    const dull = Uint8Array.from({ length: 128 }, (_, byte) => (isDull(byte, idles) ? 1 : 0));
    const stops = dull.reduce((count, of) => count - of, dull.length);
    table.lastIdle = stops > MAX_STOPS ? -1 : (idles.at(-1) ?? -1);
    kernel.setStops((byte) => dull[byte] === 0);
  };

  /** The instructions reached without reading anything, with what stands before and after known. */
  const reach = (state: State, cls: number): readonly Instruction[] | "match" => {
    mark += 1;
    const after = bitsAfter(classes, cls);
    const reached: Instruction[] = [];
    const pending = [program.start, ...state.positions];
    for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
      if (marks[position] === mark) continue;
      marks[position] = mark;
      const instruction = instructions[position] as Instruction;
      if (instruction.op === "match") return "match";
      if (instruction.op === "set") reached.push(instruction);
      else if (instruction.op === "split") pending.push(...instruction.next);
      else if (holds(instruction.at, instruction.ascii, state.before, after)) pending.push(instruction.next);
    }
    return reached;
  };

  /** Computes one entry of the table; gives its value. */
  const step = (offset: number, cls: number): number => {
    made += 1;
    if (made % CHECK_EVERY === 0) checkpoint();
    const reached = reach(states[offset / table.stride] as State, cls);
    if (reached === "match") return remember(offset, cls, MATCH);
    if (cls === END) return remember(offset, cls, 0);
    const next = new Set<number>();
    for (const instruction of reached) {
      if (instruction.op === "set" && classes.inSet(cls, instruction.set)) next.add(instruction.next);
    }
    const before = bitsBehind(classes, cls) & mask;
    if (next.size === 0 && !floating && (before & LINE_BIT) === 0 && kernel === undefined)
      return remember(offset, cls, DEAD);
    const following: State = { positions: [...next].sort((left, right) => left - right), before };
    if ((states.length + 1) * table.stride > MAX_ENTRIES) {
      forget();
      return intern(following);
    }
    return remember(offset, cls, intern(following));
  };
  const remember = (offset: number, cls: number, value: number): number => {
    table.rows[offset + cls] = value;
    return value;
  };

  const table: StateTable = {
    classes,
    rows: new Int32Array(0),
    stride: 0,
    entry: (state, cls) => {
      const known = table.rows[state + cls] as number;
      return known === UNKNOWN ? step(state, cls) : known;
    },
    widen: (offset) => {
      const kept = states[offset / table.stride] as State;
      forget();
      return intern(kept);
    },
    idle,
    isIdle: (offset) => states[offset / table.stride]?.positions.length === 0,
    lastIdle: -1,
    own,
  };
  if (kernel === undefined) forget();
  return table;
}

/** The bits of what comes next: a class, or the end. */
export function bitsAfter(classes: Classifier, cls: number): number {
  if (cls === END) return LINE_BIT | TEXT_BIT;
  return cls === TEXT_FEED ? LINE_BIT : classes.wordBits(cls);
}

/** The bits of what was just read. */
export function bitsBehind(classes: Classifier, cls: number): number {
  return cls === TEXT_FEED ? LINE_BIT : classes.wordBits(cls);
}

export function holds(at: Assertion, ascii: boolean, before: number, after: number): boolean {
  const bit = ascii ? ASCII_WORD_BIT : WORD_BIT;
  const wordBefore = (before & bit) !== 0;
  const wordAfter = (after & bit) !== 0;
  switch (at) {
    case "lineStart":
      return (before & LINE_BIT) !== 0;
    case "textStart":
      return (before & TEXT_BIT) !== 0;
    case "lineEnd":
      return (after & LINE_BIT) !== 0;
    case "textEnd":
      return (after & TEXT_BIT) !== 0;
    case "word":
      return wordBefore !== wordAfter;
    case "notWord":
      return wordBefore === wordAfter;
    case "wordStart":
      return !wordBefore && wordAfter;
    case "wordEnd":
      return wordBefore && !wordAfter;
    case "wordStartHalf":
      return !wordBefore;
    case "wordEndHalf":
      return !wordAfter;
  }
}

/** What the program's assertions need to know: of words at all, and which bits of what stands in front. */
export function askedOf({ instructions }: Program): { readonly words: boolean; readonly mask: number } {
  let words = false;
  let mask = 0;
  for (const instruction of instructions) {
    if (instruction.op !== "assert") continue;
    if (instruction.at === "lineStart") mask |= LINE_BIT;
    else if (instruction.at === "textStart") mask |= TEXT_BIT;
    else if (instruction.at !== "lineEnd" && instruction.at !== "textEnd") words = true;
  }
  return { words, mask: mask | (words ? WORD_BIT | ASCII_WORD_BIT : 0) };
}

/** Whether some path from the start reads a character or matches without passing a line's start. */
function beginsAnywhere({ instructions, start }: Program): boolean {
  const seen = new Set<number>();
  const pending = [start];
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    if (seen.has(position)) continue;
    seen.add(position);
    const instruction = instructions[position] as Instruction;
    if (instruction.op === "set" || instruction.op === "match") return true;
    if (instruction.op === "split") pending.push(...instruction.next);
    else if (instruction.at !== "lineStart" && instruction.at !== "textStart") pending.push(instruction.next);
  }
  return false;
}
