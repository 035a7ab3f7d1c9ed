// Pure: lines as a register holds them.
import type { LineIndex } from "./line-index.ts";
import { REGISTER_MAX_BYTES, REGISTER_MAX_LINES } from "./registers.ts";

/** The lines' bytes without their endings; undefined when they are too much for a register. */
export function captureLines(index: LineIndex, first: number, last: number): readonly Uint8Array[] | undefined {
  if (last - first + 1 > REGISTER_MAX_LINES) return undefined;
  const { start } = index.line(first);
  const { end } = index.line(last);
  if (end - start > REGISTER_MAX_BYTES) return undefined;
  const bytes = new Uint8Array(index.source.read(start, end));
  const rows: Uint8Array[] = [];
  for (let number = first; number <= last; number++) {
    const line = index.line(number);
    rows.push(bytes.subarray(line.start - start, line.textEnd - start));
  }
  return rows;
}
