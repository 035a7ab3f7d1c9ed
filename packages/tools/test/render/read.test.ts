import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReadResult } from "../../src/read.ts";
import { readRendering } from "../../src/render/read.ts";
import type { Toolbox } from "../../src/toolbox.ts";
import { linesOf, printable, randomText } from "../helpers/random-text.ts";
import { askedOrOffered, readOk, shownLines } from "../helpers/read-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

const { text, size, take } = readRendering;

let w: Workspace;
let box: Toolbox;
beforeAll(async () => {
  w = await createWorkspace({}, { limits: { readMaxChars: 4000, readDefaultLines: 60, maxLineChars: 900 } });
  box = await w.toolbox();
});
afterAll(() => w.remove());

const base: ReadResult = {
  path: "f",
  root: "workspace",
  content: "[f#1A2B]\n1:one\n2:two\n3:three",
  tag: "1A2B",
  offset: 1,
  lineCount: 3,
  totalLines: 3,
  fileBytes: 14,
  truncated: false,
};

const READ_ON =
  "The answer may be further on: page on, or find the section with Grep, rather than answer from this page.";

describe("readRendering.text", () => {
  test("is the content, and the notice in brackets behind an empty line", () => {
    expect(text(base)).toBe("[f#1A2B]\n1:one\n2:two\n3:three");
    expect(text({ ...base, notice: "Lines 1-3 of 9." })).toBe("[f#1A2B]\n1:one\n2:two\n3:three\n\n[Lines 1-3 of 9.]");
  });
});

describe("readRendering.size", () => {
  test("counts the characters of the rows", () => {
    expect(size(base)).toBe(19);
    expect(size({ ...base, content: "[f#1A2B]" })).toBe(0);
    expect(size({ ...base, content: "[f#1A2B]\n1:🎈" })).toBe(3);
  });
});

describe("readRendering.take", () => {
  test("of a whole file keeps its first lines and says how to go on", () => {
    expect(take(base, 12)).toEqual({
      ...base,
      content: "[f#1A2B]\n1:one\n2:two",
      lineCount: 2,
      truncated: true,
      next: { path: "f", offset: 3, limit: 1 },
      notice: `Lines 1-2 of 3: cut to the room that is left. Next: Read {"path":"f","offset":3,"limit":1}. ${READ_ON}`,
    });
  });

  test("of a window goes on behind the smaller window, the caller's arguments kept", () => {
    const window: ReadResult = {
      ...base,
      totalLines: 9,
      next: { path: "f", offset: 4, maxChars: 5000, encoding: "big5" },
      notice: `Encoding big5, as asked.\nLines 1-3 of 9. Next: Read {}. ${READ_ON}`,
    };
    const smaller = take(window, 6);
    expect(smaller.next).toEqual({ path: "f", offset: 2, maxChars: 5000, encoding: "big5" });
    expect(smaller.notice).toBe(
      `Encoding big5, as asked.\nLine 1 of 9: cut to the room that is left. Next: Read {"path":"f","offset":2,"maxChars":5000,"encoding":"big5"}. ${READ_ON}`,
    );
  });

  test("of a named range asks for the rest of that range", () => {
    const range: ReadResult = {
      ...base,
      totalLines: 9,
      next: { path: "f", offset: 4, limit: 3 },
      notice: "Lines 1-3 of 9.",
    };
    expect(take(range, 6).next).toEqual({ path: "f", offset: 2, limit: 2 });
    const cut: ReadResult = {
      ...range,
      truncated: true,
      notice: `Lines 1-3 of 9: the page ended at its limit of 20 characters. Next: Read {}. ${READ_ON}`,
    };
    // The range went on for 3 more lines.
    expect(take(cut, 6).next).toEqual({ path: "f", offset: 2, limit: 5 });
  });

  test("of a tail keeps the last lines and names those left out", () => {
    const tail: ReadResult = {
      ...base,
      content: "[f#1A2B]\n7:one\n8:two\n9:three",
      offset: 7,
      totalLines: 9,
      truncated: true,
      next: { path: "f", offset: 4, limit: 3 },
      notice: "Lines 7-9 of 9: the last ones within 30 characters. Lines 4-6 were left out: Read {}.",
    };
    const smaller = take(tail, 13);
    expect(smaller).toMatchObject({ content: "[f#1A2B]\n8:two\n9:three", offset: 8, lineCount: 2 });
    expect(smaller.next).toEqual({ path: "f", offset: 4, limit: 4 });
    expect(smaller.notice).toContain(
      'Lines 8-9 of 9: cut to the room that is left. Next: Read {"path":"f","offset":4,"limit":4}.',
    );
  });

  test("of a line that does not fit keeps its first characters and goes on by column", () => {
    const smaller = take({ ...base, content: "[f#1A2B]\n1:🎈🎈🎈🎈\n2:two\n3:three" }, 4);
    expect(smaller).toMatchObject({
      content: "[f#1A2B]\n1:🎈🎈",
      lineCount: 1,
      column: 1,
      lineChars: 4,
      truncated: true,
    });
    expect(smaller.next).toEqual({ path: "f", offset: 1, limit: 1, column: 3 });
    expect(smaller.notice).toContain("Line 1 of 3, characters 1-2 of 4: cut to the room that is left.");
  });

  test("of a clipped line drops what was said about its clip: fewer characters are shown", () => {
    const smaller = take(
      {
        ...base,
        content: "[f#1A2B]\n1:abcdefgh\n2:two\n3:three",
        truncated: true,
        next: { path: "f", offset: 1, limit: 1, column: 9 },
        notice:
          'Mixed line endings: 1 CRLF, 2 LF.\nLine 1 is clipped: 8 of its 40 characters are shown, the rest by Read {"path":"f"}.',
      },
      6,
    );
    expect(smaller.lineChars).toBe(40);
    expect(smaller.notice).toBe(
      `Mixed line endings: 1 CRLF, 2 LF.\nLine 1 of 3, characters 1-4 of 40: cut to the room that is left. Next: Read {"path":"f","offset":1,"limit":1,"column":5}. ${READ_ON}`,
    );
  });

  test("of a piece of a line goes on where the smaller piece ends", () => {
    const piece: ReadResult = {
      ...base,
      content: "[f#1A2B]\n2:abcdef",
      offset: 2,
      lineCount: 1,
      truncated: true,
      column: 101,
      lineChars: 400,
      next: { path: "f", offset: 2, limit: 1, column: 107 },
      notice: `Line 2 of 3, characters 101-106 of 400: the page ended at its limit of 20 characters. Next: Read {}. ${READ_ON}`,
    };
    const smaller = take(piece, 5);
    expect(smaller).toMatchObject({ content: "[f#1A2B]\n2:abc", column: 101, lineChars: 400 });
    expect(smaller.next).toEqual({ path: "f", offset: 2, limit: 1, column: 104 });
  });

  test("of no room at all keeps the header and the call that shows the lines", () => {
    const none = take(base, 0);
    expect(none).toMatchObject({ content: "[f#1A2B]", lineCount: 0, truncated: true, next: { path: "f", offset: 1 } });
  });

  test("keeps what holds for the whole file and drops what was said about lines that are gone", () => {
    const noticed: ReadResult = {
      ...base,
      notice:
        "maxChars 9000 was reduced to the maximum 4000. Mixed line endings: 1 CRLF, 2 LF.\n" +
        'Line 1 is clipped: 900 of its 1000 characters are shown, the rest by Read {"path":"f"}.\n' +
        'Line 3 is clipped: 900 of its 2000 characters are shown, the rest by Read {"path":"f"}.\n' +
        "4 more lines are clipped at 900 characters.",
    };
    expect(take(noticed, 12).notice?.split("\n")).toEqual([
      "maxChars 9000 was reduced to the maximum 4000.",
      "Mixed line endings: 1 CRLF, 2 LF.",
      'Line 1 is clipped: 900 of its 1000 characters are shown, the rest by Read {"path":"f"}.',
      expect.stringContaining("Lines 1-2 of 3: cut to the room that is left."),
    ]);
  });

  test("of its own size is the result itself, and twice is the same as once", async () => {
    await forPages(async (page, room) => {
      expect(take(page, size(page))).toBe(page);
      const once = take(page, room);
      expect(size(once)).toBeLessThanOrEqual(room);
      expect(take(once, size(once))).toEqual(once);
    });
  });

  test("leaves a result whose numbers are true and whose next call shows exactly what is missing", async () => {
    await forPages(async (page, room, lines) => {
      const smaller = take(page, room);
      const shown = [...shownLines(smaller)].filter(() => smaller.lineCount > 0);
      expect(shown).toHaveLength(smaller.lineCount);
      expect(shown.map(([line]) => line)).toEqual(shown.map((_, index) => smaller.offset + index));
      for (const [line, row] of shown) {
        const column = smaller.column ?? 1;
        const chars = [...(lines[line - 1] ?? "")].slice(column - 1);
        expect(chars.slice(0, [...row].length).join("")).toBe(row);
      }
      if (smaller === page) return;
      expect(smaller.truncated).toBe(true);
      const next = await readOk(box, await askedOrOffered(box, smaller.next ?? {}));
      const [first, row] = [...shownLines(next)][0] ?? [0, ""];
      const last = shown.at(-1);
      const isTail = page.offset + page.lineCount - 1 === lines.length && smaller.offset > page.offset;
      if (isTail) {
        expect(first).toBeLessThan(smaller.offset);
        const asked = smaller.next as { offset: number; limit: number };
        expect(asked.offset + asked.limit).toBe(smaller.offset);
      } else if (next.column !== undefined && next.column > 1) {
        expect(first).toBe(smaller.offset);
        const until = (smaller.column ?? 1) - 1 + [...(last?.[1] ?? "")].length;
        expect(next.column).toBe(until + 1);
        expect(row).toBe([...(lines[first - 1] ?? "")].slice(until, until + [...row].length).join(""));
      } else expect(first).toBe(last === undefined ? page.offset : last[0] + 1);
    });
  });
});

/** Pages of every kind, each with some room that may be smaller than it. */
async function forPages(check: (page: ReadResult, room: number, lines: string[]) => Promise<void>): Promise<void> {
  const ranges = [
    {},
    { offset: 2 },
    { offset: 3, limit: 20 },
    { limit: 1 },
    { offset: -15 },
    { offset: -40, limit: 10 },
  ];
  await fc.assert(
    fc.asyncProperty(
      randomText.map(printable),
      fc.constantFrom(...ranges),
      fc.nat(4500),
      async (content, range, room) => {
        await w.write("any.txt", content);
        const outcome = await box.call("Read", { path: "any.txt", ...range });
        fc.pre(outcome.ok && outcome.tool === "Read");
        if (outcome.ok && outcome.tool === "Read") await check(outcome.result, room, linesOf(content));
      },
    ),
    { numRuns: 60 },
  );
}
