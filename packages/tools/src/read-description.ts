import { type Limits, readMaxTokens } from "@spillway/limits";

/** What a model is told about Read; every number is that of these limits. */
export function readDescription(limits: Limits): string {
  const { readDefaultLines, readMaxLines, readMaxChars, maxLineChars, search } = limits;
  return [
    "Reads a text file, or any part of it, and shows it as numbered lines (N:text) under a [path#TAG] header; TAG is what Edit wants.",
    `Without arguments the first ${readDefaultLines} lines. offset and limit choose lines (limit at most ${readMaxLines}); offset -N gives the last N lines. The size of the file does not matter: a page anywhere in a log of gigabytes costs what the page costs.`,
    `A page ends at ${readMaxChars} characters (maxChars asks for fewer), ${readMaxTokens(limits)} estimated tokens or ${search.maxBytes} bytes; the notice and next then name the call that goes on. A range that you asked for and that is over the token limit is refused with a range that fits.`,
    `A line is shown up to ${maxLineChars} characters; limit 1 with column walks along a longer one.`,
    "totalLines always counts the whole file. To find something in a large file use Grep first, then Read around the hit; to list a directory use Glob.",
    "Byte order marks, UTF-8 and common legacy encodings are recognised (encoding overrides a wrong guess). Binary files are refused.",
  ].join("\n");
}
