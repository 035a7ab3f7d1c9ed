import { BUDGET_SHELL, truncate } from "../src/index.ts";
import { log } from "./corpus.ts";
import { table } from "./rounds.ts";

/** What does cutting a large output down to the budget cost, against splitting it into lines first? */
export function benchTruncate(quick: boolean): string {
  const megabytes = quick ? 10 : 100;
  const text = log(megabytes * 1_000_000);
  const capture = { keptBytes: 1, keptLines: 1, totalBytes: text.length, totalLines: text.length / 110 };
  const variants = [
    {
      name: "`truncate`, totals known from the capture",
      run: () => truncate(text, BUDGET_SHELL, { capture }).keptBytes,
    },
    { name: "`truncate`, totals counted", run: () => truncate(text, BUDGET_SHELL).keptBytes },
    { name: "split, byte length line by line, join", run: () => splitAndJoin(text) },
  ];
  return table(`cut a ${megabytes} MB log to 96 KB`, variants, quick ? 5 : 9);
}

function splitAndJoin(text: string): number {
  const lines = text.split("\n");
  let bytes = 0;
  let kept = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > BUDGET_SHELL.maxBytes || kept === BUDGET_SHELL.maxLines) break;
    kept++;
  }
  return lines.slice(0, kept).join("\n").length + Buffer.byteLength(text);
}
