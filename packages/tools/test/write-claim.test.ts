import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ownOwner } from "../src/claim-owner.ts";
import { type Claim, claimPath, claimsPath, recoverWrites } from "../src/write-claim.ts";

const hasProcfs = existsSync("/proc/self/stat");

let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-claims-")));
  vi.stubEnv("TMPDIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function path(name: string): string {
  return join(folder, name);
}

function claimed(target: string): Claim {
  const claim = claimPath(target);
  if ("release" in claim) return claim;
  throw new Error(`Taken by ${claim.pid}`);
}

/** A process that ran and is gone. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

interface DeadClaim {
  readonly target: string;
  readonly host?: string;
  readonly pid?: number;
  readonly start?: string;
  readonly mark?: string;
}

/** What a process leaves behind that was killed while it wrote `target`. */
function leaveClaim({ target, host = ownOwner().host, pid = deadPid(), start = "1", mark }: DeadClaim): Claim {
  const claim = claimed(target);
  const [name = ""] = readdirSync(claimsPath());
  const record = readFileSync(join(claimsPath(), name));
  claim.release();
  const key = createHash("sha256").update(target).digest("hex").slice(0, 16);
  const parts = [key, host, pid, start, "0123456789abcdef", ...(mark === undefined ? [] : [mark])];
  writeFileSync(join(claimsPath(), parts.join(".")), record);
  return claim;
}

describe("claimPath", () => {
  test("names a temporary file and a backup beside the target, and leaves nothing when released", () => {
    const claim = claimed(path("a.txt"));
    expect(claim.temporary).toMatch(/\/\.spillway-[0-9a-f]{16}\.tmp$/);
    expect(claim.backup).toBe(claim.temporary.replace(/tmp$/, "bak"));
    expect(readdirSync(claimsPath())).toHaveLength(1);
    claim.markInPlace();
    expect(readdirSync(claimsPath())).toHaveLength(1);
    claim.release();
    expect(readdirSync(claimsPath())).toEqual([]);
  });

  test("says which living process has the path", () => {
    const target = path("a.txt");
    leaveClaim({ target, pid: process.ppid, start: startOf(process.ppid) });
    expect(claimPath(target)).toEqual({ pid: process.ppid });
    claimed(path("b.txt")).release();
  });

  test.runIf(hasProcfs)("takes a path over from a process that is gone, whose id another one may have by now", () => {
    const target = path("a.txt");
    leaveClaim({ target, pid: process.ppid, start: "1" });
    claimed(target).release();
    expect(readdirSync(claimsPath())).toEqual([]);
  });

  test("waits an hour for a process of another namespace, which cannot be looked up", () => {
    const target = path("a.txt");
    const [boot] = ownOwner().host.split("-");
    leaveClaim({ target, host: `${boot}-elsewhere`, pid: 77 });
    expect(claimPath(target)).toEqual({ pid: 77 });
  });

  test("does not wait for a process of before the last start of the machine", () => {
    const target = path("a.txt");
    leaveClaim({ target, host: "otherboot-elsewhere", pid: process.ppid });
    claimed(target).release();
  });

  test("takes a path over from a thread of this process: whoever asks has its turn", () => {
    const target = path("a.txt");
    const left = claimed(target);
    writeFileSync(left.temporary, "half");
    claimed(target).release();
    expect(existsSync(left.temporary)).toBe(false);
  });

  test("guards nothing, and does not fail, where claims cannot be private", () => {
    mkdirSync(claimsPath(), { recursive: true });
    chmodSync(claimsPath(), 0o777);
    const claim = claimed(path("a.txt"));
    claim.markInPlace();
    claim.release();
    expect(readdirSync(claimsPath())).toEqual([]);
  });
});

describe("recoverWrites", () => {
  test("removes the temporary file of a process that is gone", () => {
    const target = path("a.txt");
    writeFileSync(target, "old");
    const { temporary } = leaveClaim({ target });
    writeFileSync(temporary, "half of the n");
    recoverWrites();
    expect(readdirSync(folder).sort()).toEqual(["a.txt", `spillway-${process.getuid?.()}`].sort());
    expect(readFileSync(target, "utf8")).toBe("old");
    expect(readdirSync(claimsPath())).toEqual([]);
  });

  test("leaves a living process alone", () => {
    const target = path("a.txt");
    const { temporary } = leaveClaim({ target, pid: process.ppid, start: startOf(process.ppid) });
    writeFileSync(temporary, "half");
    recoverWrites();
    expect(existsSync(temporary)).toBe(true);
  });

  const OLD = "the old content, which is the longer one\n";
  const NEW = "new content\n";
  test.each([
    ["nothing was overwritten yet", OLD, OLD],
    ["a part was overwritten", NEW.slice(0, 5) + OLD.slice(5), OLD],
    ["all was overwritten and not cut to length", NEW + OLD.slice(NEW.length), OLD],
    ["all was done but the clean-up", NEW, OLD],
  ])("gives a target its old content back when %s", (_, found, expected) => {
    const target = path("a.txt");
    const { temporary, backup } = leaveClaim({ target, mark: "inplace" });
    writeFileSync(target, found);
    writeFileSync(temporary, NEW);
    writeFileSync(backup, OLD);
    recoverWrites();
    expect(readFileSync(target, "utf8")).toBe(expected);
    expect(existsSync(temporary)).toBe(false);
    expect(existsSync(backup)).toBe(false);
    expect(readdirSync(claimsPath())).toEqual([]);
  });

  test("gives a shorter old content back when a part beyond its end was written", () => {
    const target = path("a.txt");
    const { temporary, backup } = leaveClaim({ target, mark: "inplace" });
    writeFileSync(target, OLD.slice(0, 20));
    writeFileSync(temporary, OLD);
    writeFileSync(backup, NEW);
    recoverWrites();
    expect(readFileSync(target, "utf8")).toBe(NEW);
  });

  test("keeps the backup of a target that somebody changed since", () => {
    const target = path("a.txt");
    const { temporary, backup } = leaveClaim({ target, mark: "inplace" });
    writeFileSync(target, "somebody else's\n");
    writeFileSync(temporary, NEW);
    writeFileSync(backup, OLD);
    recoverWrites();
    expect(readFileSync(target, "utf8")).toBe("somebody else's\n");
    expect(readFileSync(backup, "utf8")).toBe(OLD);
    expect(existsSync(temporary)).toBe(false);
  });

  test("removes a backup that was not complete: its target was never touched", () => {
    const target = path("a.txt");
    const { temporary, backup } = leaveClaim({ target });
    writeFileSync(target, OLD);
    writeFileSync(temporary, NEW);
    writeFileSync(backup, OLD.slice(0, 3));
    recoverWrites();
    expect(readFileSync(target, "utf8")).toBe(OLD);
    expect(existsSync(backup)).toBe(false);
  });

  test("touches nothing that a claim cannot have named, and drops claims that say nothing", () => {
    const victim = path("precious.txt");
    writeFileSync(victim, "precious");
    leaveClaim({ target: path("a.txt") });
    const [name = ""] = readdirSync(claimsPath());
    writeFileSync(join(claimsPath(), name), JSON.stringify({ target: victim, temporary: victim, backup: victim }));
    writeFileSync(join(claimsPath(), name.replace("0123456789abcdef", "fedcba9876543210")), '{"target":');
    recoverWrites();
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readdirSync(claimsPath())).toEqual([]);
  });
});

function startOf(pid: number): string {
  if (!hasProcfs) return "0";
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
