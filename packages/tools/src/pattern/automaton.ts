// Finds matching lines in time linear in the text, whatever the pattern: a deterministic automaton over UTF-8 bytes.
// Carriage returns before a line feed belong to the line's end, not to the line.

import { placeIn, type SearchKernel, searchKernel } from "../worker/kernel/search.ts";
import { INVALID } from "./classifier.ts";
import type { Program } from "./program.ts";
import { createStateTable, DEAD, END, MATCH, RETURN, type StateTable } from "./state-table.ts";
import { decodeCode, widthOf } from "./utf8.ts";

export interface Automaton {
  /**
   * Where the first match ends that ends in `bytes[from, end)`, or -1. `from` is the start of a line; the end of the
   * range ends a line. A match that ends at a line's end is found at that line feed (or carriage return, or `end`).
   */
  find(bytes: Uint8Array, from: number, end: number): number;
}

export interface AutomatonOptions {
  /** Carriage returns are text even before a line feed; for patterns that name them. */
  readonly keepReturns: boolean;
  /** Called now and then while many states are made, so that a thrashing search can be stopped. */
  readonly checkpoint: () => void;
}

export function createAutomaton(program: Program, { keepReturns, checkpoint }: AutomatonOptions): Automaton {
  const kernel = searchKernel();
  const plain = createStateTable(program, { acrossLines: false, keepReturns, checkpoint });
  if (kernel === undefined) return { find: (bytes, from, end) => findIn(plain, bytes, from, end, undefined) };
  const fast = createStateTable(program, { acrossLines: false, keepReturns, checkpoint, kernel });
  return {
    find: (bytes, from, end) => {
      const start = placeIn(kernel, bytes, end);
      if (start === -1) return findIn(plain, bytes, from, end, undefined);
      fast.own();
      const found = findIn(fast, kernel.text, start + from, start + end, kernel);
      return found === -1 ? -1 : found - start;
    },
  };
}

/** @param kernel walks the table over what lies in its text, and leaves the rest to the loop. */
function findIn(
  table: StateTable,
  bytes: Uint8Array,
  from: number,
  end: number,
  kernel: SearchKernel | undefined,
): number {
  const { classes } = table;
  const { ofAscii } = classes;
  let { rows } = table;
  let state = 0;
  let at = from;
  while (at < end) {
    let byte = bytes[at] as number;
    if (kernel !== undefined && byte < 0x80) {
      at = kernel.run(at, end, state, table.lastIdle);
      state = kernel.state();
      if (at >= end) break;
      byte = bytes[at] as number;
    }
    let cls: number;
    let width = 1;
    if (byte < 0x80) {
      cls = ofAscii[byte] as number;
      const next = rows[state + cls] as number;
      if (next >= 0) {
        state = next;
        at += 1;
        continue;
      }
    } else {
      const code = decodeCode(bytes, at, end);
      width = code === -1 ? 1 : widthOf(code);
      cls = code === -1 ? INVALID : classes.ofCode(code);
      if (cls >= table.stride) state = table.widen(state);
    }
    let next = table.entry(state, cls);
    if (next === RETURN) {
      if (at + 1 < end && bytes[at + 1] === 10) {
        if (table.entry(state, END) === MATCH) return at;
        rows = table.rows;
        state = 0;
        at += 2;
        continue;
      }
      next = table.entry(state, classes.textReturn);
    }
    rows = table.rows;
    if (next === MATCH) return at;
    if (next === DEAD) {
      const feed = bytes.indexOf(10, at);
      if (feed === -1 || feed >= end) return -1;
      state = 0;
      at = feed + 1;
    } else {
      state = next;
      at += width;
    }
  }
  return table.entry(state, END) === MATCH ? end : -1;
}
