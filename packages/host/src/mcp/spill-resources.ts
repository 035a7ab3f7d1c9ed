import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";

/** Fuller copies of output that was too long for a result, as a client may show them to its user. */
export interface SpillResources {
  /** The newest copies. */
  list(): Promise<Resource[]>;
  /**
   * One page of a copy, its end on a line's end where there is one; the last line of the text names the next page.
   * Undefined when there is no such copy.
   */
  read(uri: URL): Promise<ReadResourceResult | undefined>;
}

export const SPILL_URI = "spill:///{name}";

/** Copies that a list names. */
export const MAX_LISTED = 100;

/** Bytes of a page: with its last line below what clients take of one text. */
export const PAGE_BYTES = 36_000;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/;

/** @param folder where a toolbox saves output; it is made with the first copy. */
export function createSpillResources(folder: string): SpillResources {
  return {
    list: async () => {
      const newest = (await filesOf(folder)).sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_LISTED);
      return newest.map(({ name, size }) => ({
        uri: `spill:///${name}`,
        name,
        description: "Output of a command that was too long for its result",
        mimeType: "text/plain",
        size,
      }));
    },
    read: async (uri) => {
      // An escape can only stand for what no name has.
      const name = uri.pathname.slice(1);
      if (!NAME.test(name)) return undefined;
      const offset = Number(uri.searchParams.get("offset") ?? 0);
      if (!Number.isSafeInteger(offset) || offset < 0) return undefined;
      const page = (await isFolder(folder)) ? await readPage(join(folder, name), offset) : undefined;
      if (page === undefined) return undefined;
      const text = page.text + lastLine(name, page);
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text }] };
    },
  };
}

async function filesOf(folder: string): Promise<{ name: string; size: number; mtimeMs: number }[]> {
  // Without the folder there are no copies.
  if (!(await isFolder(folder))) return [];
  const names = await readdir(folder).catch((): string[] => []);
  const known = names.filter((name) => NAME.test(name));
  const stats = await Promise.all(known.map((name) => lstat(join(folder, name)).catch(() => undefined)));
  return stats.flatMap((found, index) => {
    const name = known[index];
    return found?.isFile() && name !== undefined ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : [];
  });
}

/** Commands can write here: a link that one left would show any file of this machine to whoever looks at the resources. */
async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** Windows has neither flag; there what `lstat` said has to do. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface FilePage {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
  readonly size: number;
}

async function readPage(path: string, offset: number): Promise<FilePage | undefined> {
  // A folder, a pipe, a link or no file at all is no copy of an output.
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  // It may be removed, or a link take its place, before it is opened.
  const file = await open(path, READ_NO_LINK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const opened = await file.stat();
    if (!opened.isFile()) return undefined;
    const { size } = opened;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const taken = offset + bytesRead < size ? bytes.subarray(0, pageEnd(bytes)) : bytes;
    return { text: taken.toString("utf8"), offset, end: offset + taken.length, size };
  } finally {
    await file.close();
  }
}

/** After the last line feed, else before a character that the page would cut. */
function pageEnd(bytes: Buffer): number {
  const line = bytes.lastIndexOf(0x0a) + 1;
  if (line > 0) return line;
  for (let end = bytes.length; end > bytes.length - 4; end -= 1) {
    const byte = bytes[end];
    if (byte === undefined) continue;
    if ((byte & 0xc0) !== 0x80) return end;
  }
  return bytes.length;
}

function lastLine(name: string, { text, offset, end, size }: FilePage): string {
  if (offset === 0 && end === size) return "";
  const next = end < size ? `; next: spill:///${name}?offset=${end}` : "";
  return `${text === "" || text.endsWith("\n") ? "" : "\n"}[bytes ${offset} to ${end} of ${size}${next}]`;
}
