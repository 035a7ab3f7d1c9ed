import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours a text on a terminal that wants colours, and leaves it alone anywhere else. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): Paint {
  const colours = isTerminal && !environment.NO_COLOR && environment.TERM !== "dumb";
  return (style, text) => (colours && text !== "" ? styleText(style, text, { validateStream: false }) : text);
}

/** What may be printed of foreign text on one line: no control characters, at most `width` characters. */
export function oneLine(text: string, width: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a model's or a file's text must not drive the terminal
  const flat = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  if (flat.length <= width) return flat;
  // Not in the middle of a surrogate pair.
  return `${flat.slice(0, Math.max(0, width - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Foreign text over several lines, without what could drive the terminal. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a model's or a file's text must not drive the terminal
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** 1536 is `1.5 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${units[unit]}`;
}

/** 12345 is `12.3k`. */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? `${tokens}` : `${Number((tokens / 1000).toFixed(1))}k`;
}
