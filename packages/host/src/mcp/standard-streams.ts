import { Writable } from "node:stream";

/**
 * Standard output for the protocol alone: whatever else the process prints, a library's notice or a line of debugging, goes
 * to standard error from here on.
 */
export function claimStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const claimed = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, callback) => {
      write(chunk, encoding, callback);
    },
  });
  // The transport ends with a reader who went away; without listeners the error, which both streams tell of, would end the
  // process before the commands are.
  claimed.on("error", () => undefined);
  stdout.on("error", () => undefined);
  return claimed;
}
