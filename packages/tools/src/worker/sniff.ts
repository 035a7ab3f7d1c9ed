// Binary or text, by name and the first bytes. Pure.
import { isAscii } from "node:buffer";
import { extname } from "node:path";
import { decodeBytes, detectEncoding, type EncodingName, encodingOfBom, isUtf16 } from "../encoding.ts";
import { MAX_UNPRINTABLE_SHARE, unprintableShare } from "../printable.ts";
import { BINARY_EXTENSIONS, MAGIC } from "./binary-kinds.ts";

/** How many bytes of a file `sniffBinary` looks at. */
export const SNIFF_BYTES = 4096;

/**
 * What kind of binary file this is (`PNG image`, `binary data`), or undefined for text. An empty `head` is text unless the name says otherwise.
 * @param head the file's first `SNIFF_BYTES` bytes, or all if it has fewer.
 * @param asked the caller's `encoding` argument, for files that need one.
 */
export function sniffBinary(path: string, head: Uint8Array, asked?: EncodingName): string | undefined {
  const named = BINARY_EXTENSIONS.get(extname(path).slice(1).toLowerCase());
  if (named !== undefined) return named;
  const start = head.subarray(0, SNIFF_BYTES);
  if (start.length === 0) return undefined;
  if (!isWide(start, asked) && start.includes(0)) return magicKind(start) ?? "binary data";
  if (shareOf(start, asked) > MAX_UNPRINTABLE_SHARE) return magicKind(start) ?? "binary data";
  return startsAsBinary(start) ? magicKind(start) : undefined;
}

/** The UTF-16 that bytes without a mark are text in; undefined for any other bytes. Only the caller's word makes them text. */
export function likelyWide(head: Uint8Array): EncodingName | undefined {
  const start = head.subarray(0, SNIFF_BYTES - (SNIFF_BYTES % 2));
  const candidates = ["utf-16le", "utf-16be"] as const;
  return candidates.find((name) => {
    const text = decodeBytes(start, { name, bom: false });
    // Text of any script has blanks or line ends; the other byte order makes far away characters of them.
    return /[\t\n ]/.test(text) && unprintableShare(text) === 0;
  });
}

function magicKind(head: Uint8Array): string | undefined {
  return MAGIC.find(({ bytes, at = 0 }) => bytes.every((byte, index) => head[at + index] === byte))?.kind;
}

/** Formats whose first 4 KB can pass for text. */
function startsAsBinary(head: Uint8Array): boolean {
  return asciiText(head.subarray(0, 5)) === "%PDF-";
}

function shareOf(head: Uint8Array, asked: EncodingName | undefined): number {
  const isPlain = isAscii(head) && !isWide(head, asked);
  return unprintableShare(isPlain ? asciiText(head) : decodeBytes(head, detectEncoding(head, asked)));
}

/** Whether the bytes are UTF-16, by their mark or by the caller's word. */
function isWide(head: Uint8Array, asked: EncodingName | undefined): boolean {
  const encoding = encodingOfBom(head)?.name ?? asked;
  return encoding !== undefined && isUtf16(encoding);
}

function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
