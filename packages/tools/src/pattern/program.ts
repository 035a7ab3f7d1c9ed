import { type CharSet, charSet } from "./char-set.ts";
import type { Assertion, PatternNode, RepeatNode } from "./syntax.ts";

export type Instruction =
  | { readonly op: "set"; readonly set: number; readonly next: number }
  /** The ways on, the preferred one first. */
  | { readonly op: "split"; readonly next: readonly number[] }
  | { readonly op: "assert"; readonly at: Assertion; readonly ascii: boolean; readonly next: number }
  | { readonly op: "match" };

/** A nondeterministic automaton: it accepts a line where some path from `start` reaches `match`. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  readonly sets: readonly CharSet[];
}

/** Patterns that need more than this are refused: `\w{2000}{10}` and the like. */
export const MAX_INSTRUCTIONS = 20_000;

/** Undefined when the pattern needs more than `MAX_INSTRUCTIONS`, or what no automaton can do (look-around, back references). */
export function compileProgram(node: PatternNode): Program | undefined {
  const building: Building = { instructions: [{ op: "match" }], sets: [], indexOfSet: new Map() };
  const start = build(building, node, 0);
  if (start === undefined) return undefined;
  return { instructions: building.instructions, start, sets: building.sets };
}

interface Building {
  readonly instructions: Instruction[];
  readonly sets: CharSet[];
  readonly indexOfSet: Map<string, number>;
}

/** Adds the instructions of a node that go on to `next`; gives the first of them. */
function build(building: Building, node: PatternNode, next: number): number | undefined {
  switch (node.kind) {
    case "empty":
      return next;
    case "char":
    case "class":
      return add(building, { op: "set", set: setIndex(building, charSet(node)), next });
    case "assert":
      return add(building, { op: "assert", at: node.at, ascii: node.ascii, next });
    case "capture":
      return build(building, node.of, next);
    case "concat":
      return node.parts.reduceRight<number | undefined>(
        (behind, part) => (behind === undefined ? undefined : build(building, part, behind)),
        next,
      );
    case "alternate":
      return split(
        building,
        node.options.map((option) => build(building, option, next)),
      );
    case "repeat":
      return repeat(building, node, next);
    case "look":
    case "back":
      return undefined;
  }
}

function repeat(building: Building, node: RepeatNode, next: number): number | undefined {
  if (node.max === Number.POSITIVE_INFINITY) {
    const loop = endless(building, node, next);
    return loop === undefined ? undefined : copies(building, node.of, node.min - 1, loop);
  }
  let behind: number | undefined = next;
  for (let copy = node.min; copy < node.max && behind !== undefined; copy += 1) {
    const body: number | undefined = build(building, node.of, behind);
    if (body === behind) break;
    behind = split(building, node.lazy ? [next, body] : [body, next]);
  }
  return behind === undefined ? undefined : copies(building, node.of, node.min, behind);
}

/**
 * `x+`, or `x*` where the lower bound is 0. Which way a pass that takes nothing goes on decides which match is preferred:
 * an `x*` that may take nothing is `(?:x+)?`, as in ripgrep's engine.
 */
function endless(building: Building, { of, min, lazy }: RepeatNode, next: number): number | undefined {
  const ways = (body: number): number[] => (lazy ? [next, body] : [body, next]);
  const again = add(building, { op: "split", next: [] });
  if (again === undefined) return undefined;
  const body = build(building, of, again);
  if (body === undefined) return undefined;
  building.instructions[again] = { op: "split", next: ways(body) };
  if (min > 0) return body;
  return takesNothing(of) ? split(building, ways(body)) : again;
}

function copies(building: Building, of: PatternNode, count: number, next: number): number | undefined {
  let behind: number | undefined = next;
  for (let copy = 0; copy < count && behind !== undefined; copy += 1) {
    const body: number | undefined = build(building, of, behind);
    // What adds nothing adds nothing a million times either.
    if (body === behind) break;
    behind = body;
  }
  return behind;
}

/** Whether a node can match without taking a character. */
function takesNothing(node: PatternNode): boolean {
  switch (node.kind) {
    case "char":
    case "class":
      return false;
    case "concat":
      return node.parts.every(takesNothing);
    case "alternate":
      return node.options.some(takesNothing);
    case "capture":
      return takesNothing(node.of);
    case "repeat":
      return node.min === 0 || takesNothing(node.of);
    default:
      return true;
  }
}

function split(building: Building, next: readonly (number | undefined)[]): number | undefined {
  const known = next.filter((entry) => entry !== undefined);
  return known.length < next.length ? undefined : add(building, { op: "split", next: known });
}

function add(building: Building, instruction: Instruction): number | undefined {
  if (building.instructions.length >= MAX_INSTRUCTIONS) return undefined;
  return building.instructions.push(instruction) - 1;
}

function setIndex(building: Building, set: CharSet): number {
  const known = building.indexOfSet.get(set.key);
  if (known !== undefined) return known;
  const index = building.sets.push(set) - 1;
  building.indexOfSet.set(set.key, index);
  return index;
}
