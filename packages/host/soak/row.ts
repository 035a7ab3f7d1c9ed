/** One line of the table that a run ends with. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What `measured` must keep to; absent for what is only told. */
  readonly bound?: string;
  readonly verdict: "ok" | "BROKEN" | "SKIPPED" | "told";
}

export function judged(what: string, measured: string, bound: string, isKept: boolean): Row {
  return { what, measured, bound, verdict: isKept ? "ok" : "BROKEN" };
}

export function told(what: string, measured: string): Row {
  return { what, measured, verdict: "told" };
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const lines = rows.map(
    ({ what, measured, bound = "", verdict }) =>
      `| ${cell(what)} | ${cell(measured)} | ${cell(bound)} | ${verdict === "told" ? "" : verdict} |`,
  );
  return ["| what | measured | bound | verdict |", "| --- | --- | --- | --- |", ...lines].join("\n");
}
