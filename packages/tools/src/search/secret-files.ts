import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { secretContent } from "../secrets.ts";
import { fileSource } from "../worker/byte-source.ts";
import type { JobContext } from "../worker/jobs.ts";
import { isSecretByContent } from "../worker/secret-content.ts";

/** Whether a file that its name makes suspect holds a private key or a token. Others are not opened. @throws system errors. */
export function holdsSecrets(path: string, context: JobContext): boolean {
  if (secretContent(path) === undefined) return false;
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return isSecretByContent(path, fileSource(fd, fstatSync(fd).size), context);
  } finally {
    closeSync(fd);
  }
}
