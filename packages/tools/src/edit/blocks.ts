// Which lines a block covers: the construct that a line opens, for the ops that name it by that line (spec 3.4).
import { extname } from "node:path";
import type { Node } from "web-tree-sitter";
import { ToolError } from "../error.ts";
import type { LineRange } from "../line-ranges.ts";
import { grammarFor, type Parsed, parseText } from "./grammars.ts";
import { markdownBlock } from "./markdown-blocks.ts";

export interface Blocks {
  /** @throws ToolError EDIT_BLOCK_UNRESOLVED that names the plain range as the way on. */
  block(line: number, op: string): LineRange;
  close(): void;
}

const MAX_TEXT_CHARS = 2_000_000;

/**
 * @param text decoded, without its byte order mark.
 * @param cancelled ends the parsing early when it says so; no block is found then.
 */
export async function openBlocks(path: string, text: string, cancelled: () => boolean = () => false): Promise<Blocks> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (/^\.(md|mdx|markdown)$/i.test(extname(path))) {
    return resolver(
      (line) => markdownBlock(lines, line) ?? "the line is neither a heading nor the start of a fenced block",
    );
  }
  const grammar = grammarFor(path);
  if (grammar === undefined) return resolver(() => `blocks of "${extname(path) || path}" files are not known`);
  if (text.length > MAX_TEXT_CHARS) return resolver(() => "the file is too large to be parsed");
  const parsed = await parseText(grammar, text, cancelled);
  if (parsed === "cancelled") return resolver(() => "the parsing was stopped");
  if (parsed === undefined)
    return resolver(() => `${grammar.packages.join(" and ")} must be installed for ${grammar.name}`);
  if (parsed.tree.rootNode.hasError) {
    parsed.close();
    return resolver(() => `the file does not parse as ${grammar.name}`);
  }
  return resolver((line) => blockAt(parsed, lines, line), parsed.close);
}

function resolver(find: (line: number) => LineRange | string, close: () => void = () => undefined): Blocks {
  return {
    close,
    block: (line, op) => {
      const found = find(line);
      if (typeof found !== "string") return found;
      throw new ToolError("EDIT_BLOCK_UNRESOLVED", `"${op}" names no block: ${found}`, {
        next: `name the lines yourself, like "${op.replace(`${line}*`, op.includes(">") ? "M" : `${line}.=M`)}" with M the last line`,
        details: { op, line },
      });
    },
  };
}

/** Nodes that hold a sequence of constructs and begin where the first of them does. */
const SEQUENCES: ReadonlySet<string> = new Set([
  "program",
  "module",
  "source_file",
  "stylesheet",
  "document",
  "stream",
  "fragment",
  "translation_unit",
  "compilation_unit",
  "statement_list",
  "body_statement",
  "block_node",
  "block_mapping",
  "block_sequence",
]);

/** Stand in front of a declaration as nodes of their own. */
const PREFIXES: ReadonlySet<string> = new Set([
  "decorator",
  "attribute_item",
  "attribute_list",
  "annotation",
  "marker_annotation",
]);

function blockAt({ tree, shift }: Parsed, lines: readonly string[], line: number): LineRange | string {
  const row = line - 1;
  const text = lines[row] ?? "";
  const indent = text.length - text.trimStart().length;
  if (text.trim() === "") return "the line is empty";
  const column = indent + (row === 0 ? shift : 0);
  const node = openedAt(tree.rootNode, row, column);
  if (node === undefined) return "the line opens no construct of several lines";
  const last = lastRow(node, lines);
  if (last <= row) return "the line opens no construct of several lines";
  if (sharesLastLine(node, lines, last, shift)) return `its last line, ${last + 1}, holds something else as well`;
  return [line, last + 1];
}

/** The largest node that begins at the position and is no mere sequence. */
function openedAt(root: Node, row: number, column: number): Node | undefined {
  let node = root.descendantForPosition({ row, column }, { row, column: column + 1 });
  let found: Node | undefined;
  while (node !== null) {
    if (!beginsAt(node, row, column) || isSequence(node)) return found;
    found = node;
    if (PREFIXES.has(node.type)) return found;
    node = node.parent;
  }
  return found;
}

/** Decorators and doc comments in front do not count. */
function beginsAt(node: Node, row: number, column: number): boolean {
  const { row: startRow, column: startColumn } = node.startPosition;
  if (startRow === row && startColumn === column) return true;
  const first = node.children.find((child) => child !== null && !PREFIXES.has(child.type) && !child.isExtra);
  if (first === undefined || first === null || first === node.children[0]) return false;
  return first.startPosition.row === row && first.startPosition.column === column;
}

function isSequence(node: Node): boolean {
  if (SEQUENCES.has(node.type)) return true;
  // A Python suite has no brackets: it begins with its first statement.
  return node.type === "block" && node.children[0]?.isNamed === true;
}

function lastRow(node: Node, lines: readonly string[]): number {
  let { row } = node.endPosition;
  if (node.endPosition.column === 0) row -= 1;
  while (row > node.startPosition.row && (lines[row] ?? "").trim() === "") row -= 1;
  return row;
}

/** Whether something other than a separator or a comment follows the node on its last line. */
function sharesLastLine(node: Node, lines: readonly string[], last: number, shift: number): boolean {
  if (node.endPosition.row !== last) return false;
  const rest = (lines[last] ?? "").slice(node.endPosition.column - (last === 0 ? shift : 0));
  return !/^\s*[;,]*\s*(?:(?:\/\/|#|--).*|\/\*.*\*\/\s*|<!--.*-->\s*)?$/.test(rest);
}
