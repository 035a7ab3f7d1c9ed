import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fileIdentity, timesAreSettled } from "../../src/worker/file-identity.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-identity-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const stat = (path: string) => statSync(path, { bigint: true });

describe("fileIdentity", () => {
  test("is the same for the same file, and another for another one, size or time", () => {
    const [path, other] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(path, "text");
    writeFileSync(other, "text");
    const before = fileIdentity(stat(path));
    expect(fileIdentity(stat(path))).toBe(before);
    expect(fileIdentity(stat(other))).not.toBe(before);
    const fd = openSync(path, "a");
    writeSync(fd, "x");
    expect(fileIdentity(fstatSync(fd, { bigint: true }))).not.toBe(before);
    closeSync(fd);
  });

  test("changes with a change that was dated back", () => {
    const path = join(folder, "c");
    writeFileSync(path, "text");
    const before = stat(path);
    const identity = fileIdentity(before);
    writeFileSync(path, "TEXT");
    utimesSync(path, before.atime, before.mtime);
    // The inode's own time cannot be set back.
    expect(fileIdentity(stat(path))).not.toBe(identity);
  });
});

describe("timesAreSettled", () => {
  const NOW = 1_800_000_000_000;
  const at = (agoNs: bigint) => BigInt(NOW) * 1_000_000n - agoNs;
  const times = (mtimeNs: bigint, ctimeNs: bigint) => ({ ...stat(folder), mtimeNs, ctimeNs });

  test.each([
    ["a fine time of 21 ms ago", 21_000_001n, 21_000_001n, true],
    ["a fine time of 19 ms ago", 19_000_001n, 19_000_001n, false],
    ["a whole second of 3 s ago", 3_000_000_000n, 3_000_000_000n, true],
    ["a whole second of 1 s ago", 1_000_000_000n, 1_000_000_000n, false],
    ["an old content with a young inode", 3_000_000_001n, 5_000_001n, false],
    ["a time in the future", -5_000_000_001n, -5_000_000_001n, false],
  ])("of %s: %s", (_, mtimeAgo, ctimeAgo, settled) => {
    expect(timesAreSettled(times(at(mtimeAgo), at(ctimeAgo)), NOW)).toBe(settled);
  });
});
