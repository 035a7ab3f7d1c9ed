import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareDated, createNewest, type Dated } from "../../src/search/newest.ts";

const file = (path: string, mtimeMs: number, weight = 1): Dated => ({ path, mtimeMs, weight });

describe("createNewest", () => {
  test("keeps the newest files that weigh enough, ties by path", () => {
    const newest = createNewest(3);
    for (const entry of [file("old", 1), file("b", 5, 2), file("a", 5), file("older", 0)]) newest.add(entry);
    expect(newest.entries.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(newest.floor()).toBe(5);
  });

  test("has no floor before it has enough", () => {
    const newest = createNewest(2);
    newest.add(file("a", 1));
    expect(newest.floor()).toBe(Number.NEGATIVE_INFINITY);
    newest.add(file("b", 2));
    expect(newest.floor()).toBe(1);
  });

  test("keeps the first of a file's pieces, in whatever order they came", () => {
    const newest = createNewest(3);
    for (const firstAt of [50, 10, 30]) newest.add({ ...file("a", 5, 2), firstAt });
    expect(newest.entries.map(({ firstAt }) => firstAt)).toEqual([10, 30]);
  });

  test("keeps what sorting everything would give, in any order of arrival", () => {
    const entry = fc.record({
      path: fc.string({ maxLength: 3 }),
      mtimeMs: fc.nat(5),
      weight: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ path }) => path }),
        fc.integer({ min: 1, max: 12 }),
        (all, needed) => {
          const newest = createNewest(needed);
          for (const one of all) newest.add(one);
          let weight = 0;
          const expected = [...all].sort(compareDated).filter((one) => {
            const wanted = weight < needed;
            weight += one.weight;
            return wanted;
          });
          expect(newest.entries).toEqual(expected);
        },
      ),
    );
  });
});
