import { hasGlobSyntax } from "../glob-syntax.ts";

/** What to write instead of a list of patterns (`*.ts,*.tsx`, `*.ts *.tsx`), which is none; empty for any other pattern. */
export function listHint(pattern: string): string {
  const parts = pattern.split(/[,\s]+/).filter((part) => part !== "");
  if (parts.length < 2 || /[{}()]/.test(pattern) || !parts.every(isPattern)) return "";
  return ` Several patterns are written as one: "{${parts.join(",")}}".`;
}

function isPattern(part: string): boolean {
  return hasGlobSyntax(part) && !part.startsWith("!");
}
