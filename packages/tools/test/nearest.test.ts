import { describe, expect, test } from "vitest";
import { nearestNames } from "../src/nearest.ts";

describe("nearestNames", () => {
  test.each([
    ["file_path", ["path", "offset", "limit"], ["path"]],
    ["pattren", ["path", "pattern", "headLimit"], ["pattern"]],
    ["confg.json", ["config.json", "package.json", "readme.md"], ["config.json"]],
    ["INDEX.ts", ["index.ts", "index.js"], ["index.ts", "index.js"]],
    ["zzzz", ["path", "offset"], []],
    ["a", ["b"], ["b"]],
  ])("for %s of %j gives %j", (wanted, names, expected) => {
    expect(nearestNames(wanted, names).slice(0, expected.length || 1)).toEqual(expected);
  });

  test("gives at most three, best first", () => {
    expect(nearestNames("data1", ["data5", "data4", "data3", "data2", "data1.txt"])).toEqual([
      "data1.txt",
      "data2",
      "data3",
    ]);
  });

  test("stays quick for very long names", () => {
    expect(nearestNames("x".repeat(100_000), ["x".repeat(99_999), "y"])).toEqual(["x".repeat(99_999)]);
  });
});
