// Which lines a Read asks for. Pure.
import type { Limits } from "@spillway/limits";
import type { EncodingName } from "./encoding/names.ts";

/** What the model asked; also the shape of `next`. */
export interface ReadInput {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly maxChars?: number | undefined;
  readonly column?: number | undefined;
  readonly encoding?: EncodingName | undefined;
}

/** The lines of one page before any bound cut it; `last` may be below `first`: nothing lies there. */
export interface Window {
  readonly first: number;
  /** Not beyond the end of the file. */
  readonly last: number;
  /** A cut keeps the last lines instead of the first. */
  readonly fromEnd: boolean;
  /** An explicit `limit` or a negative `offset`: a part of it must not be taken for the whole. */
  readonly named: boolean;
  /** One line was asked for, by `limit: 1` or `column`: it comes in pieces when it is too long for a page. */
  readonly single: boolean;
  /** 1-based character of the line to begin at. */
  readonly column: number;
}

export function resolveWindow(
  { offset = 1, limit, column }: ReadInput,
  totalLines: number,
  { readDefaultLines }: Pick<Limits, "readDefaultLines">,
): Window {
  const first = offset > 0 ? offset : Math.max(1, totalLines + offset + 1);
  const fromEnd = offset < 0 && limit === undefined;
  const last = fromEnd ? totalLines : Math.min(totalLines, first + (limit ?? readDefaultLines) - 1);
  const named = offset < 0 || limit !== undefined;
  const single = limit === 1 || (fromEnd && first === last);
  return { first, last, fromEnd, named, single, column: column ?? 1 };
}

/** The caller's own arguments with another range; a column and a limit hold only where given. */
export function withRange(
  { path, maxChars, encoding }: ReadInput,
  range: { offset: number; limit?: number; column?: number },
): Record<string, unknown> {
  return {
    path,
    ...range,
    ...(maxChars !== undefined && { maxChars }),
    ...(encoding !== undefined && { encoding }),
  };
}
