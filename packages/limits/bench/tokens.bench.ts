import { estimateTokens, truncateMiddle } from "../src/index.ts";
import { chinese, log } from "./corpus.ts";
import { table } from "./rounds.ts";

/** What do the estimate and a 75/25 cut cost on a large message? */
export function benchTokens(quick: boolean): string {
  const rounds = quick ? 3 : 7;
  const ascii = log(10_000_000);
  const han = chinese(10_000_000);
  const estimates = [
    { name: "`estimateTokens`", run: () => estimateTokens(ascii) },
    { name: "loop over the code units", run: () => estimateByUnit(ascii) },
    { name: "loop over the code points", run: () => estimateByPoint(ascii) },
  ];
  const chineseEstimates = [
    { name: "`estimateTokens`", run: () => estimateTokens(han) },
    { name: "loop over the code units", run: () => estimateByUnit(han) },
    { name: "loop over the code points", run: () => estimateByPoint(han) },
  ];
  const cuts = [
    { name: "`truncateMiddle`", run: () => truncateMiddle(ascii, 20_000).text.length },
    { name: "estimate the whole, then slice", run: () => estimateByUnit(ascii) + sliceMiddle(ascii) },
    { name: "array of code points, slice, join", run: () => pointsMiddle(ascii) },
  ];
  return [
    table("estimate the tokens of 10 MB of log", estimates, rounds),
    table("estimate the tokens of 10 million Chinese characters", chineseEstimates, rounds),
    table("keep 20 000 tokens of a 10 MB message", cuts, rounds),
  ].join("\n\n");
}

function estimateByUnit(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += text.charCodeAt(index) < 0x80 ? 1 : 4;
  return Math.ceil(quarters / 4);
}

function estimateByPoint(text: string): number {
  let quarters = 0;
  for (const char of text) quarters += char < "\u0080" ? 1 : 4;
  return Math.ceil(quarters / 4);
}

function sliceMiddle(text: string): number {
  return (text.slice(0, 60_000) + text.slice(-20_000)).length;
}

function pointsMiddle(text: string): number {
  const points = Array.from(text);
  return points.slice(0, 60_000).join("").length + points.slice(-20_000).join("").length;
}
