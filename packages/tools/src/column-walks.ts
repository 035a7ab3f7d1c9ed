import { joinRanges, type LineRange } from "./line-ranges.ts";

/** Lines too long for one page that are remembered; the least recently walked goes first. */
const MAX_LINES = 256;

/**
 * Which characters of lines longer than a page a session was shown: such a line counts as seen once all of it was.
 * In memory only; losing an entry costs another walk.
 */
export class ColumnWalks {
  readonly #walks = new Map<string, readonly LineRange[]>();

  /**
   * Notes that characters `first` to `last` (1-based) of a line were shown.
   * @param version the hash of the file they are from.
   * @returns true when all of the line has been shown now.
   */
  record(path: string, version: string, line: number, shown: LineRange, lineChars: number): boolean {
    const key = `${version}:${line}:${path}`;
    const ranges = joinRanges(this.#walks.get(key) ?? [], [shown]);
    this.#walks.delete(key);
    this.#walks.set(key, ranges);
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > MAX_LINES && oldest !== undefined) this.#walks.delete(oldest);
    const [range] = ranges;
    return range !== undefined && range[0] <= 1 && range[1] >= lineChars;
  }
}
