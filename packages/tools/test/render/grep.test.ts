import { describe, expect, test } from "vitest";
import type { GrepContentResult, GrepResult } from "../../src/grep.ts";
import { grepRendering } from "../../src/render/grep.ts";

const RESULT: GrepContentResult = {
  matches: [
    { path: "a.ts", line: 1, text: "first", context: true },
    { path: "a.ts", line: 2, text: "hit" },
    { path: "a.ts", line: 9, text: "hit again" },
    { path: "b.ts", line: 3, text: "wide", column: 40 },
    { path: "b.ts", line: 5, text: "two\nlines" },
  ],
  tags: { "a.ts": "1A2B" },
  count: 4,
  files: 2,
  truncated: true,
  next: { pattern: "hit", offset: 14 },
  notice:
    '1 file that may hold secrets was skipped.\nThere are more matches: narrow the search, or go on with Grep {"pattern":"hit","offset":14}.',
};

describe("grepRendering", () => {
  test("shows headers, lines, gaps and pieces", () => {
    expect(grepRendering.text(RESULT)).toBe(
      [
        "[a.ts#1A2B]",
        "1-first",
        "2:hit",
        "--",
        "9:hit again",
        "",
        "[b.ts]",
        "3 (from character 40):wide",
        "--",
        "5:two",
        "6:lines",
        "",
        `[${RESULT.notice}]`,
      ].join("\n"),
    );
  });

  test("shows paths and counts one a line", () => {
    expect(grepRendering.text({ files: ["a", "b"], count: 2, truncated: false })).toBe("a\nb");
    expect(grepRendering.text({ counts: [{ path: "a", count: 3 }], count: 1, truncated: false })).toBe("a:3");
    expect(grepRendering.text({ files: [], count: 0, truncated: false, notice: "No matches." })).toBe("[No matches.]");
  });

  test("shows a path that holds a line feed as one line", () => {
    const path = "a\n9:b.txt";
    const found = { matches: [{ path, line: 1, text: "hit" }], tags: {}, count: 1, files: 1, truncated: false };
    expect(grepRendering.text(found)).toBe('["a\\n9:b.txt"]\n1:hit');
    expect(grepRendering.text({ ...found, tags: { [path]: "1A2B" } })).toBe('["a\\n9:b.txt"#1A2B]\n1:hit');
    expect(grepRendering.text({ files: [path], count: 1, truncated: false })).toBe('"a\\n9:b.txt"');
    const counts = [{ path, count: 3 }];
    expect(grepRendering.text({ counts, count: 1, truncated: false })).toBe('"a\\n9:b.txt":3');
  });

  test("does not cut a match for a long line in front of it", () => {
    const found: GrepContentResult = {
      matches: [
        { path: "a.ts", line: 1, text: "x".repeat(900), context: true },
        { path: "a.ts", line: 2, text: "hit" },
        { path: "a.ts", line: 3, text: "hit again" },
        { path: "a.ts", line: 9, text: "y".repeat(900) },
      ],
      tags: { "a.ts": "1A2B" },
      count: 3,
      files: 1,
      truncated: false,
    };
    const taken = grepRendering.take(found, 100);
    expect(grepRendering.text(taken)).toBe(
      [
        "[a.ts#1A2B]",
        "2:hit",
        "3:hit again",
        "",
        "[Some lines around the matches had no room.",
        "There are more matches, cut to the room that is left: repeat the call with its offset raised by 2.]",
      ].join("\n"),
    );
    expect(taken).toMatchObject({ count: 2, truncated: true });
  });

  test("takes whole matches from the start, and every number follows", () => {
    const room = "[a.ts#1A2B]\n1-first\n2:hit\n".length;
    const taken = grepRendering.take(RESULT, room);
    expect(taken).toMatchObject({ count: 1, files: 1, truncated: true, tags: { "a.ts": "1A2B" } });
    expect(taken.next).toEqual({ pattern: "hit", offset: 11 });
    expect(taken.notice).toBe(
      '1 file that may hold secrets was skipped.\nThere are more matches, cut to the room that is left: go on with Grep {"pattern":"hit","offset":11}.',
    );
    expect("matches" in taken && taken.matches).toEqual(RESULT.matches.slice(0, 2));
  });

  test.each([
    ["matches", { ...RESULT }],
    ["paths", { files: ["long/path/a", "b", "c"], count: 3, truncated: false }],
    [
      "counts",
      {
        counts: [
          { path: "a", count: 1 },
          { path: "b", count: 2 },
        ],
        count: 2,
        truncated: false,
      },
    ],
  ] as [string, GrepResult][])("of %s keeps within the room, and all of them where there is room", (_, result) => {
    const size = grepRendering.size(result);
    expect(grepRendering.take(result, size)).toBe(result);
    for (let room = 0; room < size; room += 1) {
      const taken = grepRendering.take(result, room);
      expect(grepRendering.size(taken)).toBeLessThanOrEqual(room);
      expect(taken.truncated).toBe(true);
      expect(taken.count).toBeLessThanOrEqual(result.count);
    }
  });

  test("without arguments to go on with, it says how far the offset moves", () => {
    const taken = grepRendering.take({ files: ["aa", "bb"], count: 2, truncated: false }, 4);
    expect(taken.notice).toBe(
      "There are more files, cut to the room that is left: repeat the call with its offset raised by 1.",
    );
  });

  test("shows the beginning of a single match that has no room", () => {
    const { next: _, notice: __, ...plain } = RESULT;
    const one: GrepContentResult = {
      ...plain,
      matches: [{ path: "a.ts", line: 2, text: "x".repeat(500) }],
      count: 1,
      files: 1,
    };
    const taken = grepRendering.take(one, 100);
    expect("matches" in taken && taken.matches[0]?.text.length).toBeGreaterThan(50);
    expect("matches" in taken && taken.matches[0]?.column).toBe(1);
    expect(taken.notice).toMatch(
      /^Line 2 of a\.ts is cut to the room that is left: characters 1-\d+ are shown, walk along it with Read \{"path":"a\.ts","offset":2,"limit":1,"column":1\}\.\nThere are more matches/,
    );
    expect(grepRendering.size(taken)).toBeLessThanOrEqual(100);
    const again = grepRendering.take(taken, 60);
    expect(again.notice?.match(/is cut to the room/g)).toHaveLength(1);
  });

  test("drops what was said about clipped lines that have no room", () => {
    const { next: _, ...plain } = RESULT;
    const clip = (line: number): string =>
      `Line ${line} of a.ts is clipped: characters 1-9 of 99 are shown, walk along it with Read {}.`;
    const clipped: GrepContentResult = {
      ...plain,
      matches: [1, 2, 3].map((line) => ({ path: "a.ts", line, text: "x".repeat(9), column: 1 })),
      count: 3,
      files: 1,
      notice: [clip(1), clip(3), "1 more line is clipped."].join("\n"),
    };
    const two = grepRendering.take(clipped, grepRendering.size(clipped) - 1);
    expect(two.notice?.split("\n").slice(0, -1)).toEqual([clip(1), "1 more line is clipped."]);
  });
});
