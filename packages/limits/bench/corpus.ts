const LOG_LINE =
  "2026-11-30T12:00:00.000Z INFO  request handled path=/api/v1/items/12345 status=200 duration=12ms user=alice x\n";
const CHINESE = "这是一个用来测量估算误差的句子。";

/** A log of about `bytes` bytes, 110 to a line, as one flat string. */
export function log(bytes: number): string {
  return flat(LOG_LINE.repeat(Math.floor(bytes / LOG_LINE.length)));
}

/** Lines of one character and an LF. */
export function shortLines(bytes: number): string {
  return flat("y\n".repeat(bytes / 2));
}

export function chinese(chars: number): string {
  return flat(CHINESE.repeat(Math.floor(chars / CHINESE.length)));
}

/** The bytes of a text in the chunks a pipe delivers. */
export function chunks(text: string, chunkBytes = 65_536): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

// A repeated string is a tree until something reads it: the first variant would pay for all.
function flat(text: string): string {
  return Buffer.from(text).toString();
}
