import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const page = readFileSync(resolve(root, "docs/guarantees.md"), "utf8");

/** `a/{b,c/d}.ts` names two files. */
function expand(path: string): string[] {
  const [, before, list, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return list === undefined ? [path] : list.split(",").map((part) => `${before}${part}${after}`);
}

describe("docs/guarantees.md", () => {
  const named = [...page.matchAll(/`((?:limits|tools|checkpoint|host)\/test\/[^`]+)`/g)].flatMap(([, path = ""]) =>
    expand(path),
  );

  test("names tests", () => expect(named.length).toBeGreaterThan(20));

  test.each(named)("%s is there", (path) => {
    expect(existsSync(resolve(root, "packages", path.replace(/\/\*$/, "")))).toBe(true);
  });
});
