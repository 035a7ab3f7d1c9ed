// Cuts text so that no step of counting sees more than a bounded stretch. Pure.

/** Longer stretches without a place to cut are cut anyway: at most one token more for each. */
export const MAX_WINDOW_UNITS = 32_768;
/** How far back from the end of a window a line end is looked for. */
const LOOK_BACK_UNITS = 4096;

/**
 * A longer piece without a place to cut, a run of letters or blanks, is cut every so often: merging costs more the more
 * there is to merge. Ordinary text has none; random letters come out 0.07 % over, measured over 1 MB.
 */
export const MAX_RUN_UNITS = 512;

/** The end of the window that begins at `start`, in code units; never inside a code point. */
export function windowEnd(text: string, start: number): number {
  const end = start + MAX_WINDOW_UNITS;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - LOOK_BACK_UNITS; at--) {
    // No piece of the tokenizer spans a line feed with a letter or digit behind it.
    if (text.charCodeAt(at - 1) === 0x0a && isAlphanumeric(text.charCodeAt(at))) return at;
  }
  return characterBorder(text, end);
}

/** The end of the part of an unbroken run that begins at `start`. */
export function runEnd(run: string, start: number): number {
  const end = start + MAX_RUN_UNITS;
  return end >= run.length ? run.length : characterBorder(run, end);
}

function characterBorder(text: string, at: number): number {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

function isAlphanumeric(unit: number): boolean {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}
