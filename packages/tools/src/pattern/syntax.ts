// What a pattern is once it was read: the tree that the automaton and the RegExp translation are made from. Pure.

export type Assertion =
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd"
  | "word"
  | "notWord"
  | "wordStart"
  | "wordEnd"
  | "wordStartHalf"
  | "wordEndHalf";

export interface CharNode {
  readonly kind: "char";
  readonly code: number;
  readonly ignoreCase: boolean;
}

/** One code point out of a set; `source` is a class in the syntax of JavaScript's `v` flag, brackets included. */
export interface ClassNode {
  readonly kind: "class";
  readonly source: string;
  readonly ignoreCase: boolean;
}

export interface AssertNode {
  readonly kind: "assert";
  readonly at: Assertion;
  /** Word characters are ASCII only: `(?-u)`. */
  readonly ascii: boolean;
}

export interface RepeatNode {
  readonly kind: "repeat";
  readonly of: PatternNode;
  readonly min: number;
  /** Infinity when there is no upper bound. */
  readonly max: number;
  readonly lazy: boolean;
}

export type PatternNode =
  | { readonly kind: "empty" }
  | CharNode
  | ClassNode
  | AssertNode
  | RepeatNode
  | { readonly kind: "concat"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternate"; readonly options: readonly PatternNode[] }
  | { readonly kind: "capture"; readonly index: number; readonly of: PatternNode }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly of: PatternNode }
  | { readonly kind: "back"; readonly index: number; readonly ignoreCase: boolean };

/** The flags in force at one place of a pattern. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly unicode: boolean;
  readonly verbose: boolean;
}

export const EMPTY: PatternNode = { kind: "empty" };

/** The nodes directly below a node. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case "concat":
      return node.parts;
    case "alternate":
      return node.options;
    case "repeat":
    case "capture":
    case "look":
      return [node.of];
    default:
      return [];
  }
}

/** True if the node or one below it passes the test. */
export function someNode(node: PatternNode, test: (node: PatternNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => someNode(child, test));
}
