import { describe, expect, test } from "vitest";
import { ColumnWalks } from "../src/column-walks.ts";

describe("ColumnWalks", () => {
  test("a line is seen when the last of its characters was shown, in any order", () => {
    const walks = new ColumnWalks();
    expect(walks.record("/f", "v1", 1, [101, 200], 250)).toBe(false);
    expect(walks.record("/f", "v1", 1, [201, 250], 250)).toBe(false);
    expect(walks.record("/f", "v1", 1, [1, 100], 250)).toBe(true);
  });

  test("pieces may overlap, and a gap of one character is a gap", () => {
    const walks = new ColumnWalks();
    expect(walks.record("/f", "v1", 1, [1, 100], 250)).toBe(false);
    expect(walks.record("/f", "v1", 1, [102, 250], 250)).toBe(false);
    expect(walks.record("/f", "v1", 1, [90, 110], 250)).toBe(true);
  });

  test("pieces of another version, line or file do not count", () => {
    const walks = new ColumnWalks();
    walks.record("/f", "v1", 1, [1, 100], 200);
    expect(walks.record("/f", "v2", 1, [101, 200], 200)).toBe(false);
    expect(walks.record("/f", "v1", 2, [101, 200], 200)).toBe(false);
    expect(walks.record("/g", "v1", 1, [101, 200], 200)).toBe(false);
    expect(walks.record("/f", "v1", 1, [101, 200], 200)).toBe(true);
  });

  test("forgets the line that was walked least recently, never more than a re-read is lost", () => {
    const walks = new ColumnWalks();
    walks.record("/f", "v1", 1, [1, 100], 200);
    walks.record("/f", "v1", 2, [1, 100], 200);
    for (let line = 3; line <= 257; line++) walks.record("/f", "v1", line, [1, 100], 200);
    expect(walks.record("/f", "v1", 1, [101, 200], 200)).toBe(false);
    expect(walks.record("/f", "v1", 257, [101, 200], 200)).toBe(true);
  });
});
