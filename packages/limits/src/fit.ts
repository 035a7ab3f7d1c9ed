import { type Caps, CHARS_PER_TOKEN, checkCaps, type Unit } from "./budget.ts";
import { allowanceOf, type Cost, walk } from "./cut.ts";

/** How much of a text fits by whole lines: `text.slice(start, end)`, its size, and the cap that left out the next line. */
export interface Fit {
  readonly start: number;
  readonly end: number;
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly tokens: number;
  /** null: the whole text fits. */
  readonly stoppedBy: Unit | null;
}

interface Sum extends Cost {
  readonly lines: number;
  readonly units: number;
}

const LINE_FEED = 10;
const NOTHING: Sum = { lines: 0, units: 0, bytes: 0, chars: 0, quarters: 0 };
const ONE_LINE_FEED: Sum = { lines: 0, units: 1, bytes: 1, chars: 1, quarters: 1 };

/**
 * Counts whole lines from one end. The caps cover the lines and the LFs that join them; the LF that ends the text is
 * free when everything fits. Costs the part that fits, not the text.
 *
 * A head ends before the LF of its last line; a tail keeps the LF that ends the text if the caps have room for it. An
 * empty line shows only by its LF and is not kept without it, so `countLines` of the part is `lines`.
 *
 * @throws RangeError when a cap is no whole number.
 */
export function fitLines(text: string, caps: Caps, end: "head" | "tail"): Fit {
  checkCaps(caps);
  const allowance = allowanceOf(caps);
  const maxLines = caps.maxLines ?? Infinity;
  return end === "head" ? fitHead(text, allowance, maxLines) : fitTail(text, allowance, maxLines);
}

function fitHead(text: string, allowance: Cost, maxLines: number): Fit {
  let kept = NOTHING;
  let sum = NOTHING;
  while (sum.units < text.length) {
    if (sum.lines === maxLines) return fitOf(kept, 0, "lines");
    const line = lineFrom(text, sum.units, minus(allowance, sum), "head");
    if (typeof line === "string") return fitOf(kept, 0, line);
    sum = plus(sum, line);
    if (sum.units === text.length) return fitOf(sum, 0, null);
    if (sum.units + 1 === text.length) return fitOf(plus(sum, ONE_LINE_FEED), 0, null);
    const withLineFeed = plus(sum, ONE_LINE_FEED);
    const full = brokenBy(withLineFeed, allowance);
    if (line.units > 0) kept = sum;
    else if (full === null) kept = withLineFeed;
    if (full !== null) return fitOf(kept, 0, sum.lines === maxLines ? "lines" : full);
    sum = withLineFeed;
  }
  return fitOf(sum, 0, null);
}

function fitTail(text: string, allowance: Cost, maxLines: number): Fit {
  if (text === "") return fitOf(NOTHING, 0, null);
  const last = text.endsWith("\n") ? text.length - 1 : text.length;
  let kept = NOTHING;
  let sum = NOTHING;
  for (;;) {
    if (kept.lines === maxLines) return tailOf(text, kept, last, allowance, "lines");
    const full = brokenBy(sum, allowance);
    if (full !== null) return tailOf(text, kept, last, allowance, full);
    const line = lineFrom(text, last - sum.units, minus(allowance, sum), "tail");
    if (typeof line === "string") return tailOf(text, kept, last, allowance, line);
    kept = plus(sum, line);
    if (kept.units === last) break;
    sum = plus(kept, ONE_LINE_FEED);
  }
  return fitOf(last < text.length ? plus(kept, ONE_LINE_FEED) : kept, 0, null);
}

// Gives a tail that was cut the LF that ends the text, if it has one: as far as there is room, or if the last line
// is empty at the cost of the first line.
function tailOf(text: string, kept: Sum, last: number, allowance: Cost, stoppedBy: Unit): Fit {
  const start = last - kept.units;
  if (last === text.length || kept.lines === 0) return fitOf(kept, start, stoppedBy);
  const withLineFeed = plus(kept, ONE_LINE_FEED);
  if (brokenBy(withLineFeed, allowance) === null) return fitOf(withLineFeed, start, stoppedBy);
  if (text.charCodeAt(last - 1) !== LINE_FEED) return fitOf(kept, start, stoppedBy);
  if (kept.lines === 1) return fitOf(NOTHING, last, stoppedBy);
  const first = lineFrom(text, start, allowance, "head");
  const rest = typeof first === "string" ? NOTHING : plus(kept, first, -1);
  return fitOf(rest, start + (kept.units - rest.units) + 1, stoppedBy);
}

function lineFrom(text: string, at: number, allowance: Cost, end: "head" | "tail"): Sum | "bytes" | "chars" | "tokens" {
  const { stoppedBy, units, bytes, chars, quarters } = walk(text, at, allowance, end, "line");
  return stoppedBy ?? { lines: 1, units, bytes, chars, quarters };
}

function brokenBy({ bytes, chars, quarters }: Cost, allowance: Cost): Unit | null {
  if (bytes > allowance.bytes) return "bytes";
  if (chars > allowance.chars) return "chars";
  return quarters > allowance.quarters ? "tokens" : null;
}

function plus(left: Sum, right: Sum, times: 1 | -1 = 1): Sum {
  return {
    lines: left.lines + times * right.lines,
    units: left.units + times * right.units,
    bytes: left.bytes + times * right.bytes,
    chars: left.chars + times * right.chars,
    quarters: left.quarters + times * right.quarters,
  };
}

function minus({ bytes, chars, quarters }: Cost, sum: Sum): Cost {
  return { bytes: bytes - sum.bytes, chars: chars - sum.chars, quarters: quarters - sum.quarters };
}

function fitOf({ lines, units, bytes, chars, quarters }: Sum, start: number, stoppedBy: Unit | null): Fit {
  return { start, end: start + units, lines, bytes, chars, tokens: Math.ceil(quarters / CHARS_PER_TOKEN), stoppedBy };
}
