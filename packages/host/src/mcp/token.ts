import { createHash, timingSafeEqual } from "node:crypto";

/** Whether an `Authorization` header carries the token. How long the answer takes says nothing about how near a guess was. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? "") ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
