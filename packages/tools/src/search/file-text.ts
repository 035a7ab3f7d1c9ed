// A file's text as it is searched: decoded as Read would. Synchronous, in a worker thread.
import { isUtf8 } from "node:buffer";
import { fstatSync, readSync } from "node:fs";
import { bomBytes, decodeBytes, detectEncoding, encodingOfBom, type FileEncoding, UTF8 } from "../encoding.ts";

/** How much of a large file its encoding is judged by. */
const JUDGED_BYTES = 1024 * 1024;
/** Larger files are not searched across their lines. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/** The first bytes of a file. */
export function readHead(fd: number, most: number = JUDGED_BYTES): Buffer {
  const size = fstatSync(fd).size;
  // Files of procfs say 0.
  const bytes = Buffer.allocUnsafeSlow(Math.min(most, size === 0 ? JUDGED_BYTES : size));
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(fd, bytes, length, bytes.length - length, length);
  }
  return bytes.subarray(0, length);
}

/** UTF-8 unless the bytes are none: then what Read would take them for. `bytes` have no byte order mark. */
export function judgedEncoding(bytes: Buffer, isWhole: boolean): FileEncoding {
  const whole = isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  return isUtf8(whole) ? UTF8 : detectEncoding(whole);
}

/** The whole text in UTF-8, its line ends as line feeds; undefined when the file is too large. */
export function wholeText(fd: number, keepReturns: boolean): Buffer | undefined {
  const bytes = readHead(fd, MAX_WHOLE_BYTES + 1);
  if (bytes.length > MAX_WHOLE_BYTES) return undefined;
  const encoding = encodingOfBom(bytes) ?? judgedEncoding(bytes, true);
  const hasReturns = !keepReturns && bytes.includes(13);
  if (encoding.name === "utf-8" && !hasReturns && isUtf8(bytes)) return bytes.subarray(bomBytes(encoding).length);
  const text = decodeBytes(bytes, encoding);
  return Buffer.from(keepReturns ? text : text.replaceAll("\r\n", "\n"));
}
