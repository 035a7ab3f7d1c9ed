import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Line, readLines } from "../../src/report/lines.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-lines-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(text: string, maxLineBytes?: number): Promise<Line[]> {
  const path = join(folder, "lines");
  await writeFile(path, text);
  const lines: Line[] = [];
  for await (const line of readLines(path, maxLineBytes === undefined ? {} : { maxLineBytes })) lines.push(line);
  return lines;
}

describe("readLines", () => {
  test("gives every line that is not empty, whole, wherever the chunks end", async () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.nat(3_000_000).map((size) => "é".repeat(size / 2)),
    );
    const property = fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (drawn) => {
      const lines = drawn.map((text) => text.replaceAll("\n", " "));
      const found = (await read(lines.join("\n"))).map(({ text }) => text);
      expect(found).toEqual(lines.filter((text) => text !== ""));
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test("a line over the limit has its size and no text, and the next is there", async () => {
    const long = "x".repeat(3_000_000);
    expect(await read(`ab\n${long}\ncd`, 4)).toEqual([
      { text: "ab", bytes: 2, ended: true },
      { bytes: 3_000_000, ended: true },
      { text: "cd", bytes: 2, ended: false },
    ]);
  });
});
