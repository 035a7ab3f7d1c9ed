import type { EncodingName } from "./encoding/names.ts";
import { joinRanges, type LineRange, normalizeRanges } from "./line-ranges.ts";
import { tagOf } from "./tag.ts";

const MAX_PATHS = 4096;
const MAX_VERSIONS_PER_PATH = 4;
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_FILE_TEXT_BYTES = 2 * 1024 * 1024;
const TAG_COUNT = 65_536;

export interface FileVersion {
  /** 16 lower-case hex digits: the 64-bit hash over the file's bytes. */
  readonly hash: string;
  readonly bytes: number;
}

/** Lines a session was shown in full; `undefined` is unknown and never the same as an empty list. */
export type SeenLines = readonly LineRange[] | "all" | undefined;

/** One version of a file that this session was shown. */
export interface Snapshot extends FileVersion {
  readonly tag: string;
  /** The file's raw bytes, where they are still kept. */
  readonly text?: Uint8Array;
  readonly seen: SeenLines;
  readonly totalLines?: number;
  /** The encoding that the caller named when the file was shown; without it the bytes decide. */
  readonly asked?: EncodingName;
}

export interface RecordOptions {
  /** Raw bytes of the whole file; over 2 MiB they are not kept. */
  readonly text?: Uint8Array;
  readonly totalLines?: number;
  /** The `encoding` argument of the call that shows the file. */
  readonly asked?: EncodingName;
  /** The lines come from a search: such records are the first to go. */
  readonly byGrep?: boolean;
}

interface Entry extends Snapshot {
  readonly onlyGrep: boolean;
}

/**
 * What one session knows of the files it was shown, by canonical absolute path (spec 3.2). In memory only and bounded:
 * 4 096 paths with 4 versions each, 8 MiB of text; what is lost costs a re-read, never a wrong write.
 */
export class SnapshotStore {
  // Newest version first; a path is in exactly one of the two maps, least recently used first.
  readonly #grepped = new Map<string, readonly Entry[]>();
  readonly #shown = new Map<string, readonly Entry[]>();
  // Keyed by path and hash, least recently used first.
  readonly #texts = new Map<string, Uint8Array>();
  readonly #minted = new Uint8Array(TAG_COUNT / 8);
  #textBytes = 0;

  /** Makes `version` the path's latest; the same content again joins its seen lines. */
  record(path: string, version: FileVersion, seen: SeenLines, options: RecordOptions = {}): Snapshot {
    const versions = this.#versions(path);
    const known = versions.find((entry) => sameVersion(entry, version));
    const totalLines = options.totalLines ?? known?.totalLines;
    const asked = options.asked ?? known?.asked;
    const entry: Entry = {
      hash: version.hash,
      bytes: version.bytes,
      tag: tagOf(version.hash),
      seen: wholeFile(joinSeen(known?.seen, seen), totalLines),
      ...(totalLines !== undefined && { totalLines }),
      ...(asked !== undefined && { asked }),
      onlyGrep: (known?.onlyGrep ?? true) && options.byGrep === true,
    };
    this.#mint(entry.tag);
    if (options.text !== undefined) this.#keepText(path, version.hash, options.text);
    this.#keepVersions(path, [entry, ...versions.filter((other) => other !== known)]);
    return this.#snapshot(path, entry);
  }

  /** The version this session was shown last. */
  latest(path: string): Snapshot | undefined {
    const entry = this.#versions(path)[0];
    return entry === undefined ? undefined : this.#snapshot(path, entry);
  }

  /** Versions that were just leaned on are not the next to go. Their order among each other stays. */
  touch(path: string, used: readonly FileVersion[]): void {
    const isUsed = (entry: Entry): boolean => used.some((version) => sameVersion(entry, version));
    const versions = this.#versions(path);
    const first = versions.filter(isUsed);
    if (first.length === 0) return;
    for (const { hash } of first.toReversed()) {
      const text = this.#texts.get(textKey(path, hash));
      if (text !== undefined) this.#keepText(path, hash, text);
    }
    this.#keepVersions(path, [...first, ...versions.filter((entry) => !isUsed(entry))]);
  }

  /** Every version that is still known, newest first. */
  versions(path: string): readonly Snapshot[] {
    return this.#versions(path).map((entry) => this.#snapshot(path, entry));
  }

  /** The versions with this tag, newest first: collisions are possible. */
  byTag(path: string, tag: string): readonly Snapshot[] {
    return this.#versions(path)
      .filter((entry) => entry.tag === tag)
      .map((entry) => this.#snapshot(path, entry));
  }

  pathsWithTag(tag: string): readonly string[] {
    const paths: string[] = [];
    for (const map of [this.#shown, this.#grepped]) {
      for (const [path, versions] of map) if (versions.some((entry) => entry.tag === tag)) paths.push(path);
    }
    return paths;
  }

  /** Every version whose text is still kept, in no order. */
  *withText(): Iterable<Snapshot & { readonly text: Uint8Array }> {
    for (const map of [this.#shown, this.#grepped]) {
      for (const [path, entries] of map) {
        for (const entry of entries) {
          const { text, ...snapshot } = this.#snapshot(path, entry);
          if (text !== undefined) yield { ...snapshot, text };
        }
      }
    }
  }

  /** Whether this session ever showed the tag, for any path; never forgotten. */
  minted(tag: string): boolean {
    const index = Number.parseInt(tag, 16);
    return ((this.#minted[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  forget(path: string): void {
    for (const entry of this.#versions(path)) this.#dropText(path, entry.hash);
    this.#shown.delete(path);
    this.#grepped.delete(path);
  }

  /** The records of `from` become those of `to`; what was known of `to` is dropped. */
  rename(from: string, to: string): void {
    const moved = this.#versions(from).map((entry) => ({ entry, text: this.#texts.get(textKey(from, entry.hash)) }));
    this.forget(from);
    this.forget(to);
    if (moved.length === 0) return;
    for (const { entry, text } of moved) if (text !== undefined) this.#keepText(to, entry.hash, text);
    this.#keepVersions(
      to,
      moved.map(({ entry }) => entry),
    );
  }

  #versions(path: string): readonly Entry[] {
    return this.#shown.get(path) ?? this.#grepped.get(path) ?? [];
  }

  #snapshot(path: string, entry: Entry): Snapshot {
    const { onlyGrep: _, ...snapshot } = entry;
    const text = this.#texts.get(textKey(path, entry.hash));
    return text === undefined ? snapshot : { ...snapshot, text };
  }

  #mint(tag: string): void {
    const index = Number.parseInt(tag, 16);
    this.#minted[index >> 3] = (this.#minted[index >> 3] ?? 0) | (1 << (index & 7));
  }

  #keepVersions(path: string, versions: readonly Entry[]): void {
    const kept = dropOldest(versions);
    for (const entry of versions) if (!kept.includes(entry)) this.#dropText(path, entry.hash);
    this.#shown.delete(path);
    this.#grepped.delete(path);
    (kept.every((entry) => entry.onlyGrep) ? this.#grepped : this.#shown).set(path, kept);
    while (this.#shown.size + this.#grepped.size > MAX_PATHS) {
      const oldest = firstKeyBut(this.#grepped, path) ?? firstKeyBut(this.#shown, path);
      if (oldest === undefined) return;
      this.forget(oldest);
    }
  }

  #keepText(path: string, hash: string, text: Uint8Array): void {
    this.#dropText(path, hash);
    if (text.byteLength > MAX_FILE_TEXT_BYTES) return;
    // A view into a larger buffer would keep the whole buffer alive.
    const own = text.byteLength === text.buffer.byteLength ? text : new Uint8Array(text);
    this.#texts.set(textKey(path, hash), own);
    this.#textBytes += own.byteLength;
    for (const [key, oldest] of this.#texts) {
      if (this.#textBytes <= MAX_TEXT_BYTES) return;
      this.#texts.delete(key);
      this.#textBytes -= oldest.byteLength;
    }
  }

  #dropText(path: string, hash: string): void {
    const key = textKey(path, hash);
    this.#textBytes -= this.#texts.get(key)?.byteLength ?? 0;
    this.#texts.delete(key);
  }
}

export function sameVersion(left: FileVersion, right: FileVersion): boolean {
  return left.hash === right.hash && left.bytes === right.bytes;
}

// What is known wins over what is not: an unknown set permits more, so it must not widen a known one.
function joinSeen(left: SeenLines, right: SeenLines): SeenLines {
  if (left === "all" || right === "all") return "all";
  if (left === undefined || right === undefined) return normalized(left ?? right);
  return joinRanges(left, right);
}

function normalized(seen: readonly LineRange[] | undefined): SeenLines {
  return seen === undefined ? undefined : normalizeRanges(seen);
}

function wholeFile(seen: SeenLines, totalLines: number | undefined): SeenLines {
  if (totalLines === undefined || seen === undefined || seen === "all") return seen;
  if (totalLines === 0) return "all";
  const [range] = seen;
  return range !== undefined && range[0] <= 1 && range[1] >= totalLines ? "all" : seen;
}

function dropOldest(versions: readonly Entry[]): readonly Entry[] {
  if (versions.length <= MAX_VERSIONS_PER_PATH) return versions;
  const victim = versions.findLastIndex((entry, index) => index > 0 && entry.onlyGrep);
  return versions.toSpliced(victim === -1 ? versions.length - 1 : victim, 1);
}

function firstKeyBut(map: ReadonlyMap<string, unknown>, path: string): string | undefined {
  for (const key of map.keys()) if (key !== path) return key;
  return undefined;
}

function textKey(path: string, hash: string): string {
  return `${hash}${path}`;
}
