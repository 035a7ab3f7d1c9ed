import { holdsSecret, SECRET_OVERLAP_BYTES, secretContent } from "../secrets.ts";
import { type ByteSource, PIECE_BYTES } from "./byte-source.ts";
import type { JobContext } from "./jobs.ts";

/** Whether a file that its name makes suspect really holds a private key or a token. Other files are not read. */
export function isSecretByContent(path: string, source: ByteSource, context: JobContext): boolean {
  const content = secretContent(path);
  if (content === undefined) return false;
  for (let at = 0; at < source.size; at += PIECE_BYTES) {
    context.throwIfCancelled();
    if (holdsSecret(content, source.read(Math.max(0, at - SECRET_OVERLAP_BYTES), at + PIECE_BYTES))) return true;
  }
  return false;
}
