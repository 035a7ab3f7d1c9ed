// The anchor text of an Edit (spec 3.1): an index over versions, never an identity.
import { readName, shownName } from "./shown-name.ts";

/** 4 upper-case hex digits: the low 16 bits of a 64-bit hash given as 16 lower-case hex digits. */
export function tagOf(hash: string): string {
  return hash.slice(-4).toUpperCase();
}

export function isTag(text: string): boolean {
  return /^[0-9A-F]{4}$/.test(text);
}

/** The header line of a shown file: `[path#TAG]`, one line whatever the path holds. */
export function formatHeader(path: string, tag: string): string {
  return `[${shownName(path)}#${tag}]`;
}

export interface Header {
  readonly path: string;
  /** Always upper case; models retype it in either. */
  readonly tag: string;
}

/** The parts of a `[path#TAG]` line, blanks around it allowed; undefined for any other text. */
export function parseHeader(line: string): Header | undefined {
  const match = /^\s*\[(.+)#([0-9A-Fa-f]{4})\]\s*$/.exec(line);
  const [, path, tag] = match ?? [];
  return path === undefined || tag === undefined ? undefined : { path: readName(path), tag: tag.toUpperCase() };
}
