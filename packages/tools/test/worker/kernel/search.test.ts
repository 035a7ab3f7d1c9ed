import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineHit } from "../../../src/pattern/line-matcher.ts";
import { createTextSearch } from "../../../src/pattern/text-search.ts";
import { compilePattern } from "../../../src/pattern.ts";
import { searchKernel, TEXT_BYTES } from "../../../src/worker/kernel/search.ts";
import { SEARCH_WASM } from "../../../src/worker/kernel/search-wasm.ts";
import { randomLines, randomPattern } from "../../helpers/random-pattern.ts";

const script: { compileKernel(name: string): Promise<string> } = await import(
  new URL("../../../scripts/build-kernel.mjs", import.meta.url).href
);

/** The bytes where vector code searches, with rubbish behind them. */
function inKernel(bytes: Uint8Array): Buffer {
  const text = searchKernel()?.text;
  if (text === undefined) throw new Error("This machine has no vectors");
  text.fill("x", 0, Math.min(text.length, bytes.length + 100));
  text.set(bytes);
  return text.subarray(0, bytes.length);
}

describe("the compiled search module", () => {
  test("is what its source compiles to", async () => {
    expect(await script.compileKernel("search")).toBe(SEARCH_WASM);
  });
});

describe("createTextSearch", () => {
  const places = (bytes: Buffer, texts: readonly string[], folded: boolean): number[] => {
    const search = createTextSearch(texts, folded);
    const found: number[] = [];
    for (let at = search.next(bytes, 0); at !== -1; at = search.next(bytes, at + 1)) found.push(at);
    return found;
  };
  const char = fc.constantFrom("a", "A", "b", "B", "@", "`", "é", "日", "\n");
  const word = fc.array(char, { minLength: 1, maxLength: 4 }).map((chars) => chars.join(""));

  test("finds the same places by vectors and without", () => {
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.nat(300),
        (parts, texts, folded, lead) => {
          const bytes = Buffer.from("q".repeat(lead) + parts.join(""));
          const expected = places(bytes, texts, folded);
          expect(places(inKernel(bytes), texts, folded)).toEqual(expected);
          if (!folded) {
            const plain = texts.flatMap((text) => {
              const found: number[] = [];
              for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) found.push(at);
              return found;
            });
            expect(expected).toEqual([...new Set(plain)].sort((left, right) => left - right));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("finds a text at both ends of a full buffer, and no further", () => {
    const bytes = Buffer.alloc(TEXT_BYTES, "a");
    bytes.write("needle", 0);
    bytes.write("needle", TEXT_BYTES - 6);
    expect(places(inKernel(bytes), ["needle"], false)).toEqual([0, TEXT_BYTES - 6]);
    expect(places(inKernel(bytes), ["needle"], true)).toEqual([0, TEXT_BYTES - 6]);
    expect(places(inKernel(bytes.subarray(0, TEXT_BYTES - 1)), ["needle"], false)).toEqual([0]);
  });
});

describe("an automaton's table in the kernel", () => {
  const lines = (bytes: Buffer, matcher: ReturnType<ReturnType<typeof compilePattern>["lineMatcher"]>): number[] => {
    const hit = createLineHit();
    const found: number[] = [];
    for (let from = 0; matcher.next(bytes, from, hit); from = hit.lineEnd + 1) found.push(hit.lineStart, hit.at);
    return found;
  };

  test("leads to the same lines and places as the plain one, also in turns with another's", () => {
    const matcherOf = (pattern: string) =>
      compilePattern({ pattern, literal: false, ignoreCase: false, multiline: false }).lineMatcher(() => undefined);
    const pattern = randomPattern(["\\A", "\\z", "\\B", "\\d{2}", "x.*y"]);
    const text = fc.array(randomLines(["\n", "\r\n"]), { maxLength: 4 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(pattern, pattern, text, (one, two, source) => {
        const bytes = Buffer.from(source);
        const matchers = [matcherOf(one), matcherOf(two)];
        const expected = matchers.map((matcher) => lines(bytes, matcher));
        expect(matchers.map((matcher) => lines(inKernel(bytes), matcher))).toEqual(expected);
        expect(matchers.map((matcher) => lines(inKernel(bytes), matcher))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
