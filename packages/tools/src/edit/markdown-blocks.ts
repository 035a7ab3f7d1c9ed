// Pure: blocks of a Markdown text. No grammar package ships a wasm file for it, and headings are no nodes of one anyway.
import type { LineRange } from "../line-ranges.ts";

interface Fence {
  readonly first: number;
  readonly last: number;
}

/** A heading with everything up to the next heading of its level or above, or a fenced block; undefined for other lines. */
export function markdownBlock(lines: readonly string[], line: number): LineRange | undefined {
  const fences = fencesOf(lines);
  const fence = fences.find(({ first }) => first === line);
  if (fence !== undefined) return [fence.first, fence.last];
  const isInFence = (number: number): boolean => fences.some(({ first, last }) => number >= first && number <= last);
  const level = levelOf(lines, line);
  if (level === undefined || isInFence(line)) return undefined;
  let last = lines.length;
  for (let number = line + 1; number <= lines.length; number++) {
    const other = levelOf(lines, number);
    if (other !== undefined && other <= level && !isInFence(number)) {
      last = number - 1;
      break;
    }
  }
  while (last > line && (lines[last - 1] ?? "").trim() === "") last -= 1;
  return last > line ? [line, last] : undefined;
}

/** 1 to 6 for the first line of a heading. */
function levelOf(lines: readonly string[], line: number): number | undefined {
  const text = lines[line - 1] ?? "";
  const hashes = /^ {0,3}(#{1,6})(?:[ \t]|\r?$)/.exec(text)?.[1];
  if (hashes !== undefined) return hashes.length;
  // The underlined form: the text is the line in front of the rule.
  const isText = /^ {0,3}[^\s>#\-+*=`~|<]/.test(text);
  const rule = /^ {0,3}(=+|-+)[ \t]*\r?$/.exec(lines[line] ?? "")?.[1];
  if (!isText || rule === undefined) return undefined;
  return rule.startsWith("=") ? 1 : 2;
}

function fencesOf(lines: readonly string[]): readonly Fence[] {
  const matter = frontMatter(lines);
  const fences: Fence[] = matter === undefined ? [] : [matter];
  let open: { readonly first: number; readonly mark: string } | undefined;
  for (const [index, text] of lines.entries()) {
    if (matter !== undefined && index < matter.last) continue;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = { first: index + 1, mark };
    else if (mark.startsWith(open.mark) && text.trim() === mark) {
      fences.push({ first: open.first, last: index + 1 });
      open = undefined;
    }
  }
  return open === undefined ? fences : [...fences, { first: open.first, last: lines.length }];
}

function frontMatter(lines: readonly string[]): Fence | undefined {
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((text, index) => index > 0 && text.trimEnd() === "---");
  return end === -1 ? undefined : { first: 1, last: end + 1 };
}
