// How agents say inside a result that it is not the whole of it.

const MARKS: readonly RegExp[] = [
  // codex
  /\b(tokens|chars|characters|lines|bytes) truncated\b/,
  /\[\.\.\. (omitted|removed|truncated) \d+/,
  // Claude Code
  /<persisted-output>/,
  /\[\d+ (lines|characters|chars) truncated\]/,
  /\bOutput (was )?truncated\b/i,
  // gemini-cli
  /\bIMPORTANT: The file content has been truncated\b/,
  /\.\.\. \[\d+ (lines|characters) (truncated|omitted)\] \.\.\./,
  // pi
  /\[(Showing|Truncated:) [^\]\n]*(limit|of \d+|offset)[^\]\n]*\]/,
  // ours
  /\[truncated: /,
];

/** Whether one of the known marks stands in the first or last part of a result, where agents put them, or between. */
export function hasCutMark(text: string): boolean {
  // The marks share few words: most results are done with these.
  if (!/truncat|omitted|persisted-output|\[Showing /i.test(text)) return false;
  return MARKS.some((mark) => mark.test(text));
}
