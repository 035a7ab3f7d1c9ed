import type { CharNode, ClassNode } from "./syntax.ts";
import { codeSource } from "./unicode-class.ts";

/** A set of code points. Two sets with the same key are the same. */
export interface CharSet {
  readonly key: string;
  has(code: number): boolean;
}

/** The code points that a node of one character stands for. */
export function charSet(node: CharNode | ClassNode): CharSet {
  if (node.kind === "char" && !(node.ignoreCase && isCased(node.code))) {
    return { key: `=${node.code}`, has: (code) => code === node.code };
  }
  const source = node.kind === "char" ? codeSource(node.code) : node.source;
  const expression = new RegExp(`^${source}$`, node.ignoreCase ? "iv" : "v");
  return { key: `${expression}`, has: (code) => expression.test(String.fromCodePoint(code)) };
}

/** Whether ignoring case makes a difference for this code point. */
export function isCased(code: number): boolean {
  return /\p{Changes_When_Casemapped}/u.test(String.fromCodePoint(code));
}

/** The node where `(?-u)` makes case a matter of ASCII letters alone: it does not ignore case, it names both. */
export function asciiFolded(node: CharNode | ClassNode): CharNode | ClassNode {
  if (!node.ignoreCase) return node;
  const exact = { ...node, ignoreCase: false };
  const set = charSet(exact);
  const other = [...ASCII_LETTERS].filter((letter) => set.has(swapped(letter).charCodeAt(0)));
  if (other.length === 0) return exact;
  const source = node.kind === "char" ? codeSource(node.code) : node.source;
  return { kind: "class", source: `[${source}${other.join("")}]`, ignoreCase: false };
}

const ASCII_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}
