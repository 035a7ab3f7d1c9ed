// One page that needs nothing else: no network, no file beside it. Pure.
import { createHash } from "node:crypto";
import { escapeHtml, scriptJson } from "./escape.ts";
import { percent, short, whole } from "./numbers.ts";
import { CHART_LICENCE, PAGE_SCRIPT, PAGE_STYLE } from "./page-assets.ts";
import { MOST_PAGE_RESULTS, pageData } from "./page-data.ts";
import type { PageData } from "./page-shape.ts";
import { costColumns, htmlTable } from "./page-tables.ts";
import type { NamedTotals, Report } from "./report.ts";
import { sameLimit, type WhatIfLimits, whatIf } from "./what-if.ts";

export function htmlReport(report: Report, ownLimits: WhatIfLimits): string {
  const data = pageData(report, ownLimits);
  const title = `Where the context went: ${report.agent} ${report.id}`;
  const policy = `default-src 'none'; script-src '${hash(PAGE_SCRIPT)}'; style-src '${hash(PAGE_STYLE)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<div><h1>Where the context went</h1><p class="lead">${lead(report)}</p></div>
<button type="button" id="theme" hidden>Theme</button>
</header>
<main>
${damage(report)}
${tiles(report)}
${timelineSection(report, data)}
${toolSection(report)}
${fileSection(report)}
${repeatSection(report)}
${whatIfSection(report, ownLimits)}
${turnSection(report)}
${agentSection(report)}
</main>
<footer>
<p>Re-sent = tokens × later requests until compaction: every request carries every result that is still in the context, so this is what is paid for (less, where the provider has it cached). ${counting(report)} What was said in the session is not in this page, only numbers, tool names and paths.</p>
<details><summary>Licence of the chart library (uPlot)</summary><p>${escapeHtml(CHART_LICENCE).replaceAll("\ufffd", "<br>")}</p></details>
</footer>
<script type="application/json" id="report-data">${scriptJson(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function lead({ agent, id, cwd }: Report): string {
  return [agent, id, ...(cwd === undefined ? [] : [cwd])].map(escapeHtml).join(" · ");
}

function counting({ counting: how }: Report): string {
  return how === "exact"
    ? "Tokens of results are counted with the o200k_base tokenizer."
    : "Tokens of results are estimated: a quarter of a token an ASCII character, one any other.";
}

function damage(report: Report): string {
  const lines = Object.values(report.damage).reduce((sum, one) => sum + one.lines, 0);
  const bytes = Object.values(report.damage).reduce((sum, one) => sum + one.bytes, 0);
  if (lines === 0) return "";
  return `<p class="warning" role="note">${whole(lines)} ${lines === 1 ? "line" : "lines"} of the transcript (${whole(bytes)} bytes) could not be used; the numbers are without them.</p>`;
}

function tiles({ totals, requests, turns, compactions, usage }: Report): string {
  const list: (readonly [string, string])[] = [
    ["Result tokens", short(totals.tokens)],
    ["Re-sent tokens", short(totals.resent)],
    ["Read again for nothing", percent(totals.repeatTokens, totals.tokens)],
    ["Requests · turns", `${whole(requests)} · ${whole(turns)}`],
    ["Compactions", whole(compactions.filter(({ cause }) => cause === "compaction").length)],
    ["Errors · cut", `${whole(totals.errors)} · ${whole(totals.truncated)}`],
    ...(usage.requests === 0
      ? []
      : [
          ["Input, as counted by the provider", short(usage.inputTokens)] as const,
          ["Of it cached", percent(usage.cachedInputTokens, usage.inputTokens)] as const,
        ]),
  ];
  return `<ul class="tiles">${list.map(([name, value]) => `<li><span>${name}</span><b>${value}</b></li>`).join("")}</ul>`;
}

function timelineSection({ timeline, compactions }: Report, { timeline: page }: PageData): string {
  if (page.requests.length === 0) return "";
  const legend = page.layers.map(
    ({ name }, index) =>
      `<li><i class="layer-${index}"></i>${escapeHtml(name)} <span id="layer-value-${index}"></span></li>`,
  );
  const hasInput = page.input.some((tokens) => tokens !== null);
  const rows = page.requests.map((request, index) => ({
    request,
    sizes: page.layers.map(({ tokens }) => tokens[index] ?? 0),
    input: page.input[index] ?? undefined,
  }));
  const table = htmlTable(rows, {
    caption: "Estimated tokens in the context at each request",
    nameTitle: "Request",
    name: ({ request }) => whole(request),
    columns: [
      ...page.layers.map(({ name }, index) => ({
        title: name,
        value: (row: (typeof rows)[number]) => row.sizes[index] ?? 0,
      })),
      ...(hasInput
        ? [
            {
              title: "Provider's count",
              value: (row: (typeof rows)[number]) => row.input ?? 0,
              text: (row: (typeof rows)[number]) => (row.input === undefined ? "" : whole(row.input)),
            },
          ]
        : []),
    ],
    mostRows: 1_000,
  });
  const marks = compactions.filter(({ context }) => context === timeline.context);
  const when = marks.map(({ afterRequest, cause, tokensBefore, tokensAfter }) => {
    const sizes =
      tokensBefore === undefined
        ? ""
        : ` (${whole(tokensBefore)} tokens before${tokensAfter === undefined ? "" : `, ${whole(tokensAfter)} after`})`;
    return `<li>${cause === "rewind" ? "Rewind" : "Compaction"} after request ${whole(afterRequest)}${sizes}</li>`;
  });
  return `<section aria-labelledby="timeline-title">
<h2 id="timeline-title">The context over time</h2>
<p class="note">What each request carried, by tool. System prompt and tool definitions are in no transcript: the provider's count is higher by them. Arrow keys move from request to request.</p>
<p id="timeline-readout"></p>
<div id="timeline-chart" hidden tabindex="0" role="slider" aria-label="Context at a request" aria-orientation="horizontal" aria-valuemin="1" aria-valuemax="${page.requests.length}" aria-valuenow="${page.requests.length}"></div>
<ul class="legend">${legend.join("")}${hasInput ? '<li><i class="line"></i>Provider’s count</li>' : ""}${marks.length > 0 ? '<li><i class="mark"></i>Compaction (dashed: rewind)</li>' : ""}</ul>
${when.length === 0 ? "" : `<details><summary>Compactions (${whole(when.length)})</summary><ol>${when.slice(0, 200).join("")}</ol></details>`}
<details><summary>The timeline as a table</summary>${table}</details>
</section>`;
}

function toolSection({ tools, totals }: Report): string {
  if (tools.length === 0) return `<section><h2>By tool</h2><p>There is no tool result in this session.</p></section>`;
  return `<section aria-labelledby="tools-title"><h2 id="tools-title">By tool</h2>${htmlTable(tools, {
    ...namedTable("What each tool’s results cost; bars show the share of re-sent tokens", "Tool", totals.resent),
  })}</section>`;
}

function namedTable(caption: string, nameTitle: string, total: number): Parameters<typeof htmlTable<NamedTotals>>[1] {
  return {
    caption,
    nameTitle,
    name: ({ name }) => name,
    share: ({ resent }) => resent / Math.max(1, total),
    columns: [
      { title: "Results", value: ({ results }) => results },
      ...costColumns<NamedTotals>(total),
      { title: "Largest", value: ({ largest }) => largest },
      { title: "Errors", value: ({ errors }) => errors },
      { title: "Cut", value: ({ truncated }) => truncated },
      { title: "Repeats", value: ({ repeats }) => repeats },
    ],
  };
}

function fileSection({ paths, totals }: Report): string {
  if (paths.length === 0) return "";
  return `<section aria-labelledby="files-title"><h2 id="files-title">By file</h2>${htmlTable(
    paths,
    namedTable("What the results about each file cost", "File", totals.resent),
  )}</section>`;
}

function repeatSection({ paths, totals }: Report): string {
  const repeated = paths.filter(({ repeats }) => repeats > 0).sort((a, b) => b.repeatResent - a.repeatResent);
  const searches = totals.repeats - repeated.reduce((sum, { repeats }) => sum + repeats, 0);
  const table = htmlTable(repeated, {
    caption:
      "Reads that showed only what an earlier result had shown, which was still in the context and not edited since",
    nameTitle: "File",
    name: ({ name }) => name,
    share: ({ repeatResent }) => repeatResent / Math.max(1, totals.repeatResent),
    columns: [
      { title: "Times", value: ({ repeats }) => repeats },
      { title: "Tokens", value: ({ repeatTokens }) => repeatTokens },
      { title: "Re-sent", value: ({ repeatResent }) => repeatResent },
    ],
  });
  return `<section aria-labelledby="repeats-title"><h2 id="repeats-title">Read again for nothing</h2>
${repeated.length === 0 ? "<p>No file was read again while it was in the context.</p>" : table}
${searches > 0 ? `<p class="note">${whole(searches)} ${searches === 1 ? "search was" : "searches were"} made again with the same arguments.</p>` : ""}</section>`;
}

const LIMIT_NAMES = {
  read: "One read",
  search: "One search",
  command: "One command",
  other: "Any other result",
} as const;

function whatIfSection(report: Report, ownLimits: WhatIfLimits): string {
  const { totals, whatIf: results } = report;
  if (totals.results === 0) return "";
  const sliders = Object.entries(LIMIT_NAMES).map(
    ([
      kind,
      name,
    ]) => `<div class="limit"><label for="limit-${kind}">${name} has at most</label><output for="limit-${kind}" id="limit-${kind}-value"></output>
<input type="range" id="limit-${kind}" min="0" max="100" step="1" autocomplete="off"></div>`,
  );
  const presets = [
    ...[1_000, 4_000, 10_000, 25_000].map((tokens) => ({
      name: `No result over ${whole(tokens)} tokens`,
      limits: sameLimit(tokens),
    })),
    { name: "Spillway’s own limits", limits: ownLimits },
    { name: "Nothing read or searched again", limits: sameLimit(Number.POSITIVE_INFINITY, true) },
  ].map(({ name, limits }) => ({ name, saving: whatIf(results, limits) }));
  const table = htmlTable(presets, {
    caption: "Savings of some limits",
    nameTitle: "If",
    name: ({ name }) => name,
    share: ({ saving }) => saving.resent / Math.max(1, totals.resent),
    columns: [
      { title: "Results shortened", value: ({ saving }) => saving.results },
      { title: "Tokens saved", value: ({ saving }) => saving.tokens },
      { title: "Re-sent saved", value: ({ saving }) => saving.resent },
      {
        title: "Share",
        value: ({ saving }) => saving.resent / Math.max(1, totals.resent),
        text: ({ saving }) => percent(saving.resent, totals.resent),
      },
    ],
  });
  const partial =
    results.tokens.length > MOST_PAGE_RESULTS
      ? `<p class="note">The sliders count the ${whole(MOST_PAGE_RESULTS)} costliest results; the table counts all.</p>`
      : "";
  return `<section aria-labelledby="what-if-title"><h2 id="what-if-title">What if results had been limited?</h2>
<p class="note">What the same calls would have cost with shorter results. What the model would have asked for instead is not in it.</p>
<div id="what-if-panel" class="what-if" hidden>
<div>${sliders.join("\n")}
<label><input type="checkbox" id="drop-repeats" autocomplete="off"> Leave out what was read or searched again for nothing</label>
<div class="presets" role="group" aria-label="Limits to start from"><button type="button" data-preset="1000">1,000</button><button type="button" data-preset="4000">4,000</button><button type="button" data-preset="10000">10,000</button><button type="button" data-preset="own">Spillway’s limits</button><button type="button" data-preset="none">No limits</button></div></div>
<div class="saved" aria-live="polite" aria-atomic="true"><p>Saved, of all re-sent tokens</p><b id="saved-resent-share"></b><span class="bar" id="saved-bar" aria-hidden="true"></span>
<p><span id="saved-resent"></span> re-sent tokens</p><p><span id="saved-tokens"></span> result tokens (<span id="saved-tokens-share"></span>)</p><p><span id="saved-results"></span> of ${whole(totals.results)} results shorter or gone</p></div>
</div>
${partial}<details><summary>Some limits as a table</summary>${table}</details></section>`;
}

function turnSection({ byTurn, totals }: Report): string {
  const rows = byTurn.filter(({ results }) => results > 0);
  if (rows.length === 0) return "";
  return `<section aria-labelledby="turns-title"><h2 id="turns-title">By turn</h2>${htmlTable(rows, {
    caption: "What the results of each turn cost; a turn begins with a person’s prompt",
    nameTitle: "Turn",
    name: ({ context, turn }) => (context === "main" ? `${turn}` : `${turn} of ${context}`),
    columns: [
      { title: "Requests", value: ({ requests }) => requests },
      { title: "Results", value: ({ results }) => results },
      ...costColumns<(typeof rows)[number]>(totals.resent),
      { title: "Errors", value: ({ errors }) => errors },
    ],
  })}</section>`;
}

function agentSection({ contexts, totals }: Report): string {
  if (contexts.length < 2) return "";
  return `<section aria-labelledby="agents-title"><h2 id="agents-title">By agent</h2>${htmlTable(contexts, {
    caption: "The session itself and the agents it sent out, each with a context of its own",
    nameTitle: "Agent",
    name: ({ name }) => name,
    share: ({ resent }) => resent / Math.max(1, totals.resent),
    columns: [
      { title: "Requests", value: ({ requests }) => requests },
      { title: "Results", value: ({ results }) => results },
      ...costColumns<(typeof contexts)[number]>(totals.resent),
    ],
  })}</section>`;
}
