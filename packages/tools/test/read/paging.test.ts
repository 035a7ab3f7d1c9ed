import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EncodingName, encodeFile } from "../../src/encoding.ts";
import type { ReadResult } from "../../src/read.ts";
import type { Toolbox } from "../../src/toolbox.ts";
import { type LongText, linesOf, longText, printable, randomText, written } from "../helpers/random-text.ts";
import { askedOrOffered, readOk, shownLines } from "../helpers/read-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

// Small pages, so that short files have many; lines are never clipped, so that every character is on the way of next.
const LIMITS = { readMaxChars: 3000, readDefaultLines: 40, readMaxLines: 400, maxLineChars: 1_000_000 };
const MAX_CALLS = 2000;

let w: Workspace;
let box: Toolbox;
beforeAll(async () => {
  w = await createWorkspace({}, { limits: LIMITS });
  box = await w.toolbox();
});
afterAll(() => w.remove());

interface File {
  readonly lines: readonly string[];
  /** The arguments that name it. */
  readonly args: { readonly path: string; readonly encoding?: EncodingName };
}

const ENCODINGS: readonly EncodingName[] = ["utf-8", "utf-16le", "utf-16be", "gb18030"];

async function writeText(long: LongText, name: EncodingName): Promise<File> {
  const text = printable(written(long));
  const path = `${name}.txt`;
  await w.write(path, encodeFile(text, { name, bom: name.startsWith("utf-16") }));
  return { lines: linesOf(text), args: { path, ...(name === "gb18030" && { encoding: name }) } };
}

/** Puts the pages' rows together; every character comes once, and pieces of a line in their order. */
function collector(): { add(page: ReadResult, last?: number): void; readonly lines: ReadonlyMap<number, string> } {
  const lines = new Map<number, string>();
  return {
    lines,
    add: (page, last = page.totalLines) => {
      expect([...shownLines(page)]).toHaveLength(page.lineCount);
      for (const [line, text] of [...shownLines(page)].filter(([shown]) => shown <= last)) {
        const before = lines.get(line) ?? "";
        const column = page.column ?? 1;
        expect([line, column]).toEqual([line, [...before].length + 1]);
        if (column === 1) expect(lines.has(line)).toBe(false);
        lines.set(line, before + text);
      }
    },
  };
}

/** All pages from `args` on, each by the arguments that the one before gave, or by those that its refusal offered. */
async function follow(args: object, isDone: (page: ReadResult) => boolean = () => false): Promise<ReadResult[]> {
  const pages: ReadResult[] = [];
  let next: object | undefined = args;
  while (next !== undefined && pages.length < MAX_CALLS) {
    const page: ReadResult = await readOk(box, await askedOrOffered(box, next));
    expect(page.next).not.toEqual(next);
    pages.push(page);
    if (isDone(page)) return pages;
    next = page.next;
  }
  expect(next).toBeUndefined();
  return pages;
}

/** The line that a page ends with is shown to its end, and it is `line` or a later one. */
function reaches(line: number): (page: ReadResult) => boolean {
  return ({ offset, lineCount, column, lineChars, next }) =>
    offset + lineCount - 1 >= line && (column === undefined || lineChars === undefined || next?.column === undefined);
}

function mapOf(lines: readonly string[], first: number, last: number): Map<number, string> {
  return new Map(lines.slice(first - 1, last).map((line, index) => [first + index, line]));
}

const anyText: fc.Arbitrary<LongText> = fc.oneof(
  randomText.map((unit) => ({ unit, copies: 1, rest: "" })),
  longText.map(({ unit, rest }) => ({ unit, copies: Math.ceil(10_000 / unit.length), rest })),
);
const encoding = fc.constantFrom(...ENCODINGS);
const maxChars = fc.option(fc.integer({ min: 1000, max: 3000 }), { nil: undefined });

describe("paging through a file", () => {
  test("by following next shows every character of it exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, encoding, maxChars, async (text, name, chars) => {
        const { lines, args } = await writeText(text, name);
        const collected = collector();
        for (const page of await follow({ ...args, ...(chars !== undefined && { maxChars: chars }) })) {
          expect(page.totalLines).toBe(lines.length);
          expect([...page.content].length).toBeLessThanOrEqual(chars ?? LIMITS.readMaxChars);
          collected.add(page);
        }
        expect(collected.lines).toEqual(mapOf(lines, 1, lines.length));
      }),
      { numRuns: 15 },
    );
  });

  test("from any line to the end shows the rest exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, encoding, fc.nat(), async (text, name, at) => {
        const { lines, args } = await writeText(text, name);
        fc.pre(lines.length > 0);
        const offset = 1 + (at % lines.length);
        const collected = collector();
        for (const page of await follow({ ...args, offset })) collected.add(page);
        expect(collected.lines).toEqual(mapOf(lines, offset, lines.length));
      }),
      { numRuns: 12 },
    );
  });

  test("through a named range shows it exactly once, by the refusal's own arguments where it has too many tokens", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, encoding, fc.nat(), fc.integer({ min: 1, max: 300 }), async (text, name, at, limit) => {
        const { lines, args } = await writeText(text, name);
        fc.pre(lines.length > 0);
        const first = 1 + (at % lines.length);
        const last = Math.min(lines.length, first + limit - 1);
        const collected = collector();
        for (const page of await follow({ ...args, offset: first, limit }, reaches(last))) collected.add(page);
        for (const [line, shown] of mapOf(lines, first, last)) expect(collected.lines.get(line)).toBe(shown);
      }),
      { numRuns: 15 },
    );
  });

  test("through a tail shows it exactly once: the page at the end first, then what it left out", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, encoding, fc.integer({ min: 1, max: 200 }), async (text, name, count) => {
        const { lines, args } = await writeText(text, name);
        fc.pre(lines.length > 0);
        const call = (await askedOrOffered(box, { ...args, offset: -count })) as { offset: number };
        const first = Math.max(1, lines.length + call.offset + 1);
        const tail = await readOk(box, call);
        const collected = collector();
        collected.add(tail);
        if (tail.column === undefined) {
          expect(tail.offset + tail.lineCount - 1).toBe(lines.length);
          if (tail.next !== undefined) {
            // A page that a refusal offered has no more to do with where the tail began.
            const last = tail.offset - 1;
            for (const page of await follow(tail.next, reaches(last))) collected.add(page, last);
          }
          expect(new Map([...collected.lines].toSorted(([left], [right]) => left - right))).toEqual(
            mapOf(lines, first, lines.length),
          );
        } else {
          for (const page of await follow(tail.next ?? {})) collected.add(page);
          expect(collected.lines.get(lines.length)).toBe(lines.at(-1));
        }
      }),
      { numRuns: 15 },
    );
  });
});
