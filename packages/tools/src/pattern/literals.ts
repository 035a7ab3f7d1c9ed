import { charSet, isCased } from "./char-set.ts";
import { type CharNode, type ClassNode, type PatternNode, someNode } from "./syntax.ts";

export interface Literals {
  /** Every match holds at least one of these texts. */
  readonly texts: readonly string[];
  /** A line that holds one of them matches: nothing is left to check. */
  readonly exact: boolean;
  /** ASCII letters count in either case; they are lower case in `texts`. */
  readonly folded: boolean;
}

/** More texts than this are searched for faster by the automaton, all at once. */
const MAX_TEXTS = 6;
const MAX_TEXT_CHARS = 1024;
/** A single character is in every other line. */
const MIN_BYTES = 2;

/** Texts that a match cannot do without, the most telling ones; undefined when there are none. */
export function requiredLiterals(node: PatternNode): Literals | undefined {
  const folded = someNode(node, (of) => caseOf(of) === "ignored");
  const found = analyse(node, folded);
  // Where case matters in one place it cannot be ignored in all.
  const mixed = folded && someNode(node, (of) => caseOf(of) === "matters");
  if (found.all !== undefined && isUseful(found.all)) return { texts: found.all, exact: !mixed, folded };
  return found.some === undefined ? undefined : { texts: found.some, exact: false, folded };
}

function caseOf(node: PatternNode): "ignored" | "matters" | undefined {
  if (node.kind !== "class" && !(node.kind === "char" && isCased(node.code))) return undefined;
  return node.ignoreCase ? "ignored" : "matters";
}

interface Finding {
  /** The node matches exactly these texts, nothing else. */
  readonly all?: readonly string[] | undefined;
  /** What matches the node holds one of these. */
  readonly some?: readonly string[] | undefined;
}

const NOTHING: Finding = {};

function analyse(node: PatternNode, folded: boolean): Finding {
  switch (node.kind) {
    case "empty":
      return { all: [""] };
    case "char":
      return isCased(node.code) && node.ignoreCase ? fewMembers(node, folded) : { all: [textOf(node.code, folded)] };
    case "class":
      return fewMembers(node, folded);
    case "capture":
      return analyse(node.of, folded);
    case "concat":
      return concatenated(node.parts.map((part) => analyse(part, folded)));
    case "alternate":
      return alternative(node.options.map((option) => analyse(option, folded)));
    case "repeat":
      return repeated(node.min, node.max, analyse(node.of, folded));
    default:
      // Assertions, look-around and back references narrow a match; they promise no text.
      return NOTHING;
  }
}

function textOf(code: number, folded: boolean): string {
  const char = String.fromCodePoint(code);
  return folded && /^[A-Z]$/.test(char) ? char.toLowerCase() : char;
}

function fewMembers(node: CharNode | ClassNode, folded: boolean): Finding {
  const set = charSet(node);
  const members = new Set<string>();
  for (let code = 0; code < 0x80 && members.size <= MAX_TEXTS; code += 1) {
    if (set.has(code)) members.add(textOf(code, folded));
  }
  // Members beyond ASCII are not listed: only a set that has none of them is known whole.
  if (members.size === 0 || members.size > MAX_TEXTS || reachesBeyondAscii(node)) return NOTHING;
  return { all: [...members] };
}

function reachesBeyondAscii(node: CharNode | ClassNode): boolean {
  // Two letters have another case beyond ASCII: K (kelvin) and \u017f (long s).
  if (node.kind === "char")
    return node.code >= 0x80 || (node.ignoreCase && /[kKsS]/.test(String.fromCodePoint(node.code)));
  if (/\^|\\p|--|u\{[0-9a-f]{3,}\}|u\{[89a-f][0-9a-f]\}/i.test(node.source)) return true;
  return node.ignoreCase && (charSet(node).has(0x212a) || charSet(node).has(0x17f));
}

function concatenated(findings: readonly Finding[]): Finding {
  let run: readonly string[] = [""];
  let whole = true;
  let best: readonly string[] | undefined;
  const consider = (texts: readonly string[] | undefined): void => {
    if (texts !== undefined && isUseful(texts) && (best === undefined || score(texts) > score(best))) best = texts;
  };
  for (const finding of findings) {
    const joined = finding.all === undefined ? undefined : product(run, finding.all);
    if (joined !== undefined) {
      run = joined;
      continue;
    }
    whole = false;
    consider(run);
    consider(finding.some);
    // A set too large to be multiplied still begins a run of its own.
    run = finding.all ?? [""];
  }
  consider(run);
  return whole ? { all: run, some: best } : { some: best };
}

function product(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length * right.length > MAX_TEXTS) return undefined;
  const texts = left.flatMap((head) => right.map((tail) => head + tail));
  return texts.every((text) => text.length <= MAX_TEXT_CHARS) ? texts : undefined;
}

function alternative(findings: readonly Finding[]): Finding {
  const all = joined(findings.map(({ all }) => all));
  const some = joined(findings.map((finding) => usefulOf(finding)));
  return { all, some };
}

function usefulOf({ all, some }: Finding): readonly string[] | undefined {
  return all !== undefined && isUseful(all) ? all : some;
}

function joined(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const texts = new Set<string>();
  for (const list of lists) {
    if (list === undefined) return undefined;
    for (const text of list) texts.add(text);
    if (texts.size > MAX_TEXTS) return undefined;
  }
  return [...texts];
}

function repeated(min: number, max: number, of: Finding): Finding {
  if (min === 1 && max === 1) return of;
  if (min === 0) return max === 1 && of.all !== undefined ? alternative([{ all: [""] }, of]) : NOTHING;
  return { some: usefulOf(of) };
}

/** A text in every other line tells nothing, and each further text is one more pass. */
function isUseful(texts: readonly string[]): boolean {
  return texts.length > 0 && score(texts) >= MIN_BYTES;
}

function score(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => Buffer.byteLength(text))) - (texts.length - 1) / 2;
}
