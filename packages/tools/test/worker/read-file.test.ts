import { appendFileSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashBytes } from "../../src/hash.ts";
import { fileIdentity } from "../../src/worker/file-identity.ts";
import type { FileIndex } from "../../src/worker/file-index.ts";
import type { JobContext } from "../../src/worker/jobs.ts";
import { type ReadFileInput, type ReadPage, readFileJob } from "../../src/worker/read-file.ts";
import { PATIENT } from "../helpers/scanned-file.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-read-job-")));
});
afterAll(() => rmSync(root, { recursive: true }));

function job(path: string, change: Partial<ReadFileInput> = {}): ReadFileInput {
  const policy = { workspace: root, scratch: join(root, "scratch"), granted: [], secrets: "refuse" } as const;
  return {
    request: { path, policy, access: "read" },
    input: { path, limit: 2 },
    caps: { maxChars: 100_000, maxTokens: 25_000, maxBytes: 131_072, maxLines: 4000 },
    limits: { readDefaultLines: 2000, maxLineChars: 16_384 },
    known: undefined,
    maxScanBytes: Number.MAX_SAFE_INTEGER,
    maxTextBytes: 1000,
    hasTextOf: undefined,
    ...change,
  };
}

async function read(input: ReadFileInput, context: JobContext = PATIENT): Promise<ReadPage> {
  const output = await readFileJob(input, context);
  if (output.kind !== "page") throw new Error(`no page: ${output.kind}`);
  return output;
}

function write(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return name;
}

const LARGE = "line of a large file\n".repeat(40_000);

describe("readFileJob", () => {
  test("does not scan a file again that is the same", async () => {
    const path = write("same", LARGE);
    const { index } = await read(job(path));
    // Only an index that is taken over can bring a false number of lines with it.
    const known: FileIndex = { ...index, trusted: true, totalLines: 123 };
    expect((await read(job(path, { known }))).index.totalLines).toBe(123);
  });

  test.each<[string, (index: FileIndex) => Partial<FileIndex>]>([
    ["another identity", () => ({ identity: "0:0:0:0:0" })],
    ["an index made when the file was too young", () => ({ trusted: false })],
    ["another encoding argument", () => ({ plainUtf8: false, asked: "big5" })],
  ])("scans again for %s", async (_, change) => {
    const path = write("other", LARGE);
    const { index } = await read(job(path));
    const known: FileIndex = { ...index, trusted: true, totalLines: 123, ...change(index) };
    expect((await read(job(path, { known }))).index.totalLines).toBe(40_000);
  });

  test("asks for a longer turn before it scans a file that is too large for this one", async () => {
    const path = write("long", LARGE);
    expect(await readFileJob(job(path, { maxScanBytes: 1000 }), PATIENT)).toEqual({ kind: "needs long scan" });
    const { index } = await read(job(path));
    const known: FileIndex = { ...index, trusted: true };
    expect((await read(job(path, { known, maxScanBytes: 1000 }))).page.lineCount).toBe(2);
  });

  test("hands the bytes of a small file over, unless the caller has them", async () => {
    const path = write("small", "a\nb\n");
    expect(Buffer.from((await read(job(path))).text ?? "").toString()).toBe("a\nb\n");
    expect((await read(job(path, { hasTextOf: hashBytes(Buffer.from("a\nb\n")) }))).text).toBeUndefined();
    expect((await read(job(path, { maxTextBytes: 3 }))).text).toBeUndefined();
  });

  test("reads a file anew that changed meanwhile, and hands over one version of it", async () => {
    const path = write("once", LARGE);
    let changes = 0;
    const throwIfCancelled = (): void => {
      if (changes++ === 0) appendFileSync(join(root, path), "new\n");
    };
    const { index, settled } = await read(job(path), { cancelled: () => false, throwIfCancelled });
    expect(settled).toBe(true);
    expect(index.totalLines).toBe(40_001);
    expect(index.identity).toBe(fileIdentity(statSync(join(root, path), { bigint: true })));
  });

  test("says so when a file does not hold still", async () => {
    const path = write("restless", LARGE);
    const throwIfCancelled = (): void => appendFileSync(join(root, path), "new\n");
    const { index, settled } = await read(job(path), { cancelled: () => false, throwIfCancelled });
    expect(settled).toBe(false);
    expect(index.totalLines).toBeGreaterThan(40_000);
  });

  test("passes the caller's giving up on", async () => {
    const path = write("given-up", LARGE);
    const throwIfCancelled = (): void => {
      throw new Error("gave up");
    };
    await expect(read(job(path), { cancelled: () => true, throwIfCancelled })).rejects.toThrow("gave up");
  });

  test("of a file that the named encoding makes no text of says that naming it may be the fault", async () => {
    writeFileSync(join(root, "gbk.txt"), Buffer.from("b2e2cad40ab2e2cad40a", "hex"));
    await expect(read(job("gbk.txt", { input: { path: "gbk.txt", encoding: "utf-8" } }))).rejects.toThrow(
      'is no text (binary data, 10 bytes): leave out encoding "utf-8", or look at it',
    );
    expect((await read(job("gbk.txt"))).index.encoding.name).toBe("gb18030");
  });
});
