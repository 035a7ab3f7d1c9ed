// The report on a terminal: 80 columns, plain text, foreign names without anything that could drive the terminal.
import type { Paint } from "../cli/style.ts";
import { oneLine } from "../cli/style.ts";
import { percent, short, whole } from "./numbers.ts";
import type { NamedTotals, Report, Totals } from "./report.ts";
import { type Saving, sameLimit, type WhatIfLimits, whatIf } from "./what-if.ts";

export const TERMINAL_COLUMNS = 80;
const MOST_ROWS = 12;
const LIMITS_SHOWN: readonly number[] = [1_000, 4_000, 10_000, 25_000];

export function terminalReport(report: Report, ownLimits: WhatIfLimits, paint: Paint): string {
  const { totals, tools, paths, requests } = report;
  const repeated = [...paths].filter(({ repeats }) => repeats > 0).sort((a, b) => b.repeatResent - a.repeatResent);
  const sections = [
    head(report, paint),
    section("By tool", tools, { name: "Tool", totals, paint }),
    section("By file", paths, { name: "File", totals, paint }),
    turns(report, paint),
    repeats(repeated, totals, paint),
    savings(report, ownLimits, paint),
    requests === 0 ? "" : explain(report, paint),
  ];
  return `${sections.filter((part) => part !== "").join("\n\n")}\n`;
}

function head(report: Report, paint: Paint): string {
  const { usage, totals, compactions, damage, contexts } = report;
  const tilde = report.counting === "estimate" ? "about " : "";
  const rewinds = compactions.filter(({ cause }) => cause === "rewind").length;
  const facts = [
    `${plural(report.turns, "turn")}, ${plural(report.requests, "request")}, ${plural(report.calls, "call")}, ${plural(compactions.length - rewinds, "compaction")}` +
      (contexts.length > 1 ? `, ${plural(contexts.length - 1, "other agent")}` : ""),
    `Results: ${tilde}${whole(totals.tokens)} tokens, ${whole(totals.resent)} re-sent`,
    ...(usage.requests === 0
      ? ["The provider's own counts are not in this transcript"]
      : [
          `Provider: ${whole(usage.inputTokens)} tokens in (${percent(usage.cachedInputTokens, usage.inputTokens)} cached), ${whole(usage.outputTokens)} out,`,
          `          largest request ${whole(usage.largestInputTokens)}`,
        ]),
    ...(totals.images > 0 ? [`${plural(totals.images, "image")} in results, whose tokens are not counted`] : []),
    ...Object.entries(damage).flatMap(([reason, { lines, bytes }]) =>
      lines === 0
        ? []
        : [
            paint(
              "yellow",
              `${plural(lines, "line")} passed over: ${DAMAGE[reason] ?? reason} (${whole(bytes)} bytes)`,
            ),
          ],
    ),
  ];
  const title = oneLine(`${report.agent}  ${report.id}`, TERMINAL_COLUMNS);
  const where = report.cwd === undefined ? [] : [oneLine(report.cwd, TERMINAL_COLUMNS)];
  return [paint("bold", title), ...where, "", ...facts].join("\n");
}

const DAMAGE: Readonly<Record<string, string>> = {
  "not-json": "no JSON",
  oversized: "too long to be read",
  unfinished: "the last one is not finished",
  unreadable: "a result in an unknown form",
};

interface SectionOptions {
  readonly name: string;
  readonly totals: Totals;
  readonly paint: Paint;
}

const NUMBER_WIDTHS = [6, 11, 9, 12, 6, 4, 4, 4] as const;
const NAME_WIDTH = TERMINAL_COLUMNS - NUMBER_WIDTHS.reduce((sum, width) => sum + width, 0);

function section(title: string, list: readonly NamedTotals[], { name, totals, paint }: SectionOptions): string {
  if (list.length === 0) return "";
  const header = row(name, ["Calls", "Tokens", "Largest", "Re-sent", "Share", "Err", "Cut", "Rep"]);
  const rows = list
    .slice(0, MOST_ROWS)
    .map((one) =>
      row(one.name, [
        whole(one.results),
        whole(one.tokens),
        whole(one.largest),
        one.resent < 1e9 ? whole(one.resent) : short(one.resent),
        percent(one.resent, totals.resent),
        `${one.errors || ""}`,
        `${one.truncated || ""}`,
        `${one.repeats || ""}`,
      ]),
    );
  const more = list.length > MOST_ROWS ? [paint("dim", `… and ${whole(list.length - MOST_ROWS)} more`)] : [];
  return [paint("bold", title), paint("dim", header), ...rows, ...more].join("\n");
}

function row(name: string, numbers: readonly string[]): string {
  const cells = numbers.map((text, index) => text.padStart(NUMBER_WIDTHS[index] ?? 0));
  return `${endOf(name, NAME_WIDTH - 1).padEnd(NAME_WIDTH)}${cells.join("")}`.trimEnd();
}

/** A path says most at its end. */
function endOf(text: string, width: number): string {
  const flat = oneLine(text, Number.MAX_SAFE_INTEGER);
  return flat.length <= width ? flat : `…${flat.slice(flat.length - width + 1).replace(/^[\udc00-\udfff]/, "")}`;
}

function turns({ byTurn, totals }: Report, paint: Paint): string {
  const costly = [...byTurn]
    .filter(({ results }) => results > 0)
    .sort((a, b) => b.resent - a.resent)
    .slice(0, 5);
  if (costly.length < 2) return "";
  const line = (cells: readonly string[]): string =>
    `${(cells[0] ?? "").padEnd(30)}${cells
      .slice(1)
      .map((cell) => cell.padStart(12))
      .join("")}`;
  return [
    paint("bold", "Costliest turns"),
    paint("dim", line(["Turn", "Requests", "Results", "Tokens", "Re-sent"])),
    ...costly.map(({ context, turn, requests, results, tokens, resent }) =>
      line([
        endOf(context === "main" ? `${turn}` : `${turn} of ${context}`, 29),
        whole(requests),
        whole(results),
        whole(tokens),
        `${short(resent)} ${percent(resent, totals.resent).padStart(5)}`,
      ]),
    ),
  ].join("\n");
}

function repeats(repeated: readonly NamedTotals[], totals: Totals, paint: Paint): string {
  if (totals.repeats === 0) return "";
  const searches = totals.repeats - repeated.reduce((sum, one) => sum + one.repeats, 0);
  const line = (cells: readonly string[]): string =>
    `${(cells[0] ?? "").padEnd(44)}${cells
      .slice(1)
      .map((cell) => cell.padStart(12))
      .join("")}`;
  return [
    paint("bold", "Read again while it was there"),
    paint("dim", line(["File", "Times", "Tokens", "Re-sent"])),
    ...repeated
      .slice(0, MOST_ROWS)
      .map((one) => line([endOf(one.name, 43), whole(one.repeats), whole(one.repeatTokens), whole(one.repeatResent)])),
    ...(repeated.length > MOST_ROWS ? [paint("dim", `… and ${whole(repeated.length - MOST_ROWS)} more`)] : []),
    ...(searches > 0 ? [`${plural(searches, "search", "searches")} made again with the same arguments`] : []),
  ].join("\n");
}

function savings({ whatIf: results, totals }: Report, ownLimits: WhatIfLimits, paint: Paint): string {
  if (totals.results === 0) return "";
  const line = (cells: readonly string[]): string =>
    `${(cells[0] ?? "").padEnd(36)}${cells
      .slice(1)
      .map((cell) => cell.padStart(11))
      .join("")}`;
  const say = (name: string, saving: Saving): string =>
    line([
      name,
      whole(saving.results),
      whole(saving.tokens),
      whole(saving.resent),
      percent(saving.resent, totals.resent),
    ]);
  return [
    paint("bold", "What would have been saved"),
    paint("dim", line(["If", "Results", "Tokens", "Re-sent", "Share"])),
    ...LIMITS_SHOWN.map((tokens) =>
      say(`no result had over ${whole(tokens)} tokens`, whatIf(results, sameLimit(tokens))),
    ),
    say("spillway's limits had been in force", whatIf(results, ownLimits)),
    say("nothing was read again", whatIf(results, sameLimit(Number.POSITIVE_INFINITY, true))),
  ].join("\n");
}

function explain({ counting }: Report, paint: Paint): string {
  const how =
    counting === "exact" ? "counted with o200k_base" : "estimated, four ASCII characters each; --exact counts them";
  const words =
    "Re-sent = tokens x later requests until compaction: every request carries every result that is still in the context, " +
    `so this is what is paid for (less, where it is cached). Tokens of results are ${how}. ` +
    "Rep = showed what was in the context already. Cut = the agent had shortened it.";
  return paint("dim", wrap(words).join("\n"));
}

function wrap(text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    const joined = lines[last] === "" ? word : `${lines[last]} ${word}`;
    if (joined.length <= TERMINAL_COLUMNS) lines[last] = joined;
    else lines.push(word);
  }
  return lines;
}

export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
