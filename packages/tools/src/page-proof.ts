import { decodeBytes, detectEncoding } from "./encoding.ts";
import type { PageProof, ShownLine } from "./pasted-page.ts";
import type { KnownPage } from "./worker/clean-pages.ts";

/** Proves pasted pages by the texts that the session still keeps. */
export function createPageProof(pages: readonly KnownPage[], minted: ReadonlySet<string>): PageProof {
  const decoded = new Map<KnownPage, readonly string[]>();
  const linesOf = (page: KnownPage): readonly string[] => {
    const known = decoded.get(page);
    if (known !== undefined) return known;
    const lines = decodedLines(page);
    decoded.set(page, lines);
    return lines;
  };
  return {
    minted: (tag) => minted.has(tag),
    shown: (lines) =>
      pages.some((page) => {
        // Most texts are ruled out by the numbers alone, before they are decoded.
        if (!lines.every(({ line }) => isSeen(page, line))) return false;
        const known = linesOf(page);
        return lines.every((line) => isLine(known, line));
      }),
  };
}

function decodedLines({ text, asked }: KnownPage): readonly string[] {
  const lines = decodeBytes(text, detectEncoding(text, asked)).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function isSeen({ seen }: KnownPage, line: number): boolean {
  return seen === "all" || seen?.some(([first, last]) => line >= first && line <= last) === true;
}

function isLine(known: readonly string[], { line, text }: ShownLine): boolean {
  const own = known[line - 1];
  return own !== undefined && (own === text || own === `${text}\r`);
}
