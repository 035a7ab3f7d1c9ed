import type { Limits } from "@spillway/limits";

/** What a model is told about Grep; every number is that of these limits. */
export function grepDescription({ grepHeadLimit, maxLineChars, search }: Limits): string {
  return [
    "Searches the contents of files with a regular expression and shows matching lines (N:text) under a [path#TAG] header; TAG is what Edit wants.",
    "The syntax is ripgrep's: (?i), \\b, \\w, POSIX classes, named groups; look-around and back references work as well. literal searches for plain text, multiline lets a match go over line ends (. still stops there unless (?s)).",
    "path names a folder or a file, include and exclude take globs (*.ts, src/**/*.{js,jsx}). outputMode filesWithMatches gives paths only, count the matching lines of each file; before and after add lines around each match.",
    `Files newest first. Returns ${grepHeadLimit} matches unless headLimit says otherwise, and at most ${search.maxBytes} bytes or ${search.maxLines} lines; offset pages on. A line over ${maxLineChars} characters is shown as a window around its match.`,
    "Hidden files are searched; .git, binary files and what .gitignore, .ignore and git's excludes leave out are not. A path that is itself ignored (node_modules, dist, saved output) is searched when named.",
  ].join("\n");
}
