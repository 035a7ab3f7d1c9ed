import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileEncoding } from "../../src/encoding.ts";
import { openPieces, PIECE_BYTES } from "../../src/search/text-pieces.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

const UTF8: FileEncoding = { name: "utf-8", bom: false };

/** The pieces' own text, and every byte of the file as it passed by. */
async function pieces(
  bytes: Buffer,
  encoding = UTF8,
  keep = 0,
): Promise<{ texts: string[]; raw: Buffer; kept: string[] }> {
  const path = join(folder, "file");
  await writeFile(path, bytes);
  const fd = openSync(path, "r");
  const raw: Buffer[] = [];
  const texts: string[] = [];
  const kept: string[] = [];
  try {
    const opened = openPieces(fd, encoding, { onRaw: (part) => raw.push(Buffer.from(part)) });
    for (let piece = opened.next(); piece !== undefined; ) {
      kept.push(piece.bytes.toString("utf8", 0, piece.from));
      texts.push(piece.bytes.toString("utf8", piece.from));
      piece = opened.next(Math.max(0, piece.bytes.length - keep));
    }
  } finally {
    closeSync(fd);
  }
  return { texts, raw: Buffer.concat(raw), kept };
}

describe("openPieces", () => {
  test("gives a last line without line end by itself, and nothing for an empty file", async () => {
    expect((await pieces(Buffer.from("a\nb"))).texts).toEqual(["a\n", "b"]);
    expect((await pieces(Buffer.from(""))).texts).toEqual([]);
  });

  test("cuts a large file at line ends only, and loses nothing", async () => {
    const lines = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 5, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, async (lengths) => {
        const text = lengths.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length)).join("\n");
        const found = await pieces(Buffer.from(text));
        expect(found.texts.join("") === text).toBe(true);
        for (const piece of found.texts.slice(0, -1)) expect(piece.endsWith("\n")).toBe(true);
        expect(found.raw.equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  test("grows for a line that is longer than the buffer", async () => {
    const text = `short\n${"x".repeat(PIECE_BYTES * 3)}\nlast`;
    const { texts } = await pieces(Buffer.from(text));
    expect(texts.join("") === text).toBe(true);
    expect(texts.some((piece) => piece.length > PIECE_BYTES * 3)).toBe(true);
  });

  test("keeps the wanted end of a piece in front of the next one", async () => {
    const { kept, texts } = await pieces(Buffer.from("0123456\n".repeat(80_000)), UTF8, 16);
    expect(kept.slice(1)).toEqual(texts.slice(1).map(() => "0123456\n0123456\n"));
  });

  test.each([
    ["utf-8", true, Buffer.from("\ufeffé\nb\n")],
    ["utf-16le", true, Buffer.from("\ufeffé\nb\n", "utf16le")],
    ["utf-16be", true, Buffer.from("\ufeffé\nb\n", "utf16le").swap16()],
    ["windows-1252", false, Buffer.from("é\nb\n", "latin1")],
  ] as const)("decodes %s (byte order mark: %s) and leaves the mark out", async (name, bom, bytes) => {
    const { texts, raw } = await pieces(bytes, { name, bom });
    expect(texts.join("")).toBe("é\nb\n");
    expect(raw.equals(bytes)).toBe(true);
  });

  test("gives nothing for a file that is only a byte order mark", async () => {
    expect((await pieces(Buffer.from("\ufeff"), { name: "utf-8", bom: true })).texts).toEqual([]);
  });
});
