import { describe, expect, test } from "vitest";
import type { GlobResult } from "../../src/glob.ts";
import { globRendering } from "../../src/render/glob.ts";

const RESULT: GlobResult = {
  matches: ["src/a.ts", "b.ts", "日本.md"],
  count: 3,
  truncated: true,
  next: { pattern: "**", offset: 10 },
  notice: 'There are more files: narrow the pattern, or go on with Glob {"pattern":"**","offset":10}.',
};

describe("globRendering", () => {
  test("shows the paths, then the notice", () => {
    expect(globRendering.text(RESULT)).toBe(`src/a.ts\nb.ts\n日本.md\n\n[${RESULT.notice}]`);
  });

  test("shows a path that holds a line feed as one line", () => {
    const result: GlobResult = { matches: ["a\nb.txt", "c.txt"], count: 2, truncated: false };
    expect(globRendering.text(result)).toBe('"a\\nb.txt"\nc.txt');
    expect(globRendering.size(result)).toBe(11 + 6);
    expect(globRendering.take(result, 10)).toMatchObject({ matches: [], count: 0 });
  });

  test("counts characters, not bytes", () => {
    expect(globRendering.size(RESULT)).toBe(9 + 5 + 6);
  });

  test("takes whole paths from the start, and every number follows", () => {
    expect(globRendering.take(RESULT, 20)).toBe(RESULT);
    expect(globRendering.take(RESULT, 14)).toEqual({
      matches: ["src/a.ts", "b.ts"],
      count: 2,
      truncated: true,
      next: { pattern: "**", offset: 9 },
      notice: 'There are more files, cut to the room that is left: go on with Glob {"pattern":"**","offset":9}.',
    });
    expect(globRendering.take(RESULT, 0)).toMatchObject({ matches: [], count: 0, next: { offset: 7 } });
  });
});
