// The tables of the page. They say everything the charts show.
import { escapeHtml } from "./escape.ts";
import { percent, whole } from "./numbers.ts";

export interface Column<Row> {
  readonly title: string;
  /** Its own value is what a click on the head sorts by. */
  readonly value: (row: Row) => number;
  readonly text?: (row: Row) => string;
}

export interface TableOptions<Row> {
  readonly caption: string;
  readonly nameTitle: string;
  readonly name: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** Part of the whole, drawn below the name. */
  readonly share?: (row: Row) => number;
  readonly mostRows?: number;
}

export const MOST_TABLE_ROWS = 200;

export function htmlTable<Row>(rows: readonly Row[], options: TableOptions<Row>): string {
  const { caption, nameTitle, name, columns, share, mostRows = MOST_TABLE_ROWS } = options;
  const head = (title: string, kind: string): string =>
    `<th scope="col" class="${kind}"><button type="button">${escapeHtml(title)}</button></th>`;
  const body = rows.slice(0, mostRows).map((row) => {
    const bar =
      share === undefined ? "" : `<span class="bar" data-share="${share(row).toFixed(4)}" aria-hidden="true"></span>`;
    const cells = columns.map(({ value, text = (one: Row) => whole(value(one)) }) => {
      return `<td class="number" data-value="${value(row)}">${escapeHtml(text(row))}</td>`;
    });
    const label = escapeHtml(name(row));
    return `<tr><th scope="row" data-value="${label}">${label}${bar}</th>${cells.join("")}</tr>`;
  });
  const more =
    rows.length > mostRows
      ? `<p class="note">The first ${whole(mostRows)} of ${whole(rows.length)} are shown.</p>`
      : "";
  return `<p class="note" aria-hidden="true">${escapeHtml(caption)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${head(nameTitle, "")}${columns.map(({ title }) => head(title, "number")).join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>${more}`;
}

/** Tokens, re-sent and its share: the columns most tables have. */
export function costColumns<Row extends { readonly tokens: number; readonly resent: number }>(
  total: number,
): readonly Column<Row>[] {
  return [
    { title: "Tokens", value: ({ tokens }) => tokens },
    { title: "Re-sent", value: ({ resent }) => resent },
    {
      title: "Share",
      value: ({ resent }) => resent / Math.max(1, total),
      text: ({ resent }) => percent(resent, total),
    },
  ];
}
