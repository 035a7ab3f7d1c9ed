import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { estimateTokens } from "@spillway/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readError, readOk, shownLines } from "../helpers/read-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let w: Workspace;
beforeAll(async () => {
  w = await createWorkspace();
});
afterAll(() => w.remove());

const chars = (text: string): number => [...text].length;

describe("acceptance: Read", () => {
  test("4. clips a line at 16 384 characters and leaves it out of the lines that Edit accepts", async () => {
    await w.write("long.txt", `first\n${"x".repeat(20_000)}\nlast\n`);
    const page = await readOk(w, { path: "long.txt" });
    expect(shownLines(page).get(2)).toBe("x".repeat(16_384));
    expect(page).toMatchObject({ lineCount: 3, truncated: true });
    expect(page.notice).toContain("Line 2 is clipped: 16384 of its 20000 characters are shown");
    const clipped = await w.call("Edit", { path: "long.txt", tag: page.tag, ops: "PUT 2.=2:\n+short\n" });
    expect(clipped).toMatchObject({ ok: false, error: { code: "EDIT_LINES_UNSEEN" } });
    const rest = await readOk(w, page.next ?? {});
    expect(rest).toMatchObject({ column: 16_385, lineChars: 20_000, truncated: false });
    const seen = await w.call("Edit", { path: "long.txt", tag: page.tag, ops: "PUT 2.=2:\n+short\n" });
    expect(seen.ok).toBe(true);
    expect(await readFile(w.path("long.txt"), "utf8")).toBe("first\nshort\nlast\n");
  });

  test("5. pages a multi-megabyte file, reports the next offset, and is not truncated when it filled its window", async () => {
    await w.write("big.log", Array.from({ length: 200_000 }, (_, index) => `entry ${index + 1}\n`).join(""));
    const first = await readOk(w, { path: "big.log" });
    expect(first).toMatchObject({ offset: 1, lineCount: 2000, totalLines: 200_000, truncated: false });
    expect(first.next).toEqual({ path: "big.log", offset: 2001 });
    const second = await readOk(w, first.next ?? {});
    expect(second).toMatchObject({ offset: 2001, lineCount: 2000, truncated: false });
    expect(shownLines(second).get(2001)).toBe("entry 2001");
  });

  test("6. refuses binary content with its size and kind, and shows none of it", async () => {
    await w.write("image.dat", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"));
    const error = await readError(w, { path: "image.dat" });
    expect(error).toMatchObject({ code: "TOOL_BINARY_CONTENT", details: { kind: "PNG image", bytes: 16 } });
    expect(error.message).not.toContain("IHDR");
  });

  test("7. an explicit path reaches an ignored tree", async () => {
    await w.write(".gitignore", "node_modules\n");
    await w.write("node_modules/dep/index.js", "module.exports = 1;\n");
    expect(shownLines(await readOk(w, { path: "node_modules/dep/index.js" })).get(1)).toBe("module.exports = 1;");
    const box = await w.toolbox();
    await mkdir(join(box.scratchDir, "tool-output"), { recursive: true });
    const spilled = join(box.scratchDir, "tool-output", "stdout-1-1.log");
    await writeFile(spilled, "spilled\n");
    expect(await readOk(box, { path: spilled })).toMatchObject({ root: "scratch", path: spilled, totalLines: 1 });
  });

  test("9. cut results are valid UTF-8 text", async () => {
    await w.write("emoji.txt", "🎈".repeat(300_000));
    const texts = new Set<string>();
    let args: object | undefined = { path: "emoji.txt", limit: 1 };
    while (args !== undefined) {
      const page = await readOk(w, args);
      expect(Buffer.from(page.content).toString()).toBe(page.content);
      texts.add(shownLines(page).get(1) ?? "");
      args = page.next;
    }
    expect([...texts].join("").length).toBeGreaterThan(50_000);
  });

  test("15. an asked maxChars above the ceiling is reduced to it and said; a raised ceiling gives larger pages and a larger token cap", async () => {
    await w.write("wide.txt", `${"w".repeat(99)}\n`.repeat(6000));
    const page = await readOk(w, { path: "wide.txt", maxChars: 500_000 });
    expect(page.notice).toContain("maxChars 500000 was reduced to the maximum 100000");
    expect(chars(page.content)).toBeLessThanOrEqual(100_000);
    expect(page).toMatchObject({
      truncated: true,
      next: { path: "wide.txt", offset: page.lineCount + 1, maxChars: 100_000 },
    });
    const raised = await w.toolbox({ limits: { readMaxChars: 200_000, search: { maxBytes: 1_000_000 } } });
    const larger = await readOk(raised, { path: "wide.txt", maxChars: 500_000 });
    expect(larger.notice).toContain("maxChars 500000 was reduced to the maximum 200000");
    expect(larger.lineCount).toBeGreaterThan(1.9 * page.lineCount);
    await w.write("zh.txt", `${"汉".repeat(99)}\n`.repeat(2000));
    const zh = await readOk(raised, { path: "zh.txt" });
    expect(estimateTokens(zh.content)).toBeLessThanOrEqual(50_000);
    expect(estimateTokens(zh.content)).toBeGreaterThan(49_500);
  });

  test("16. a page of non-ASCII text is shortened by estimated tokens, and next keeps the asked budget", async () => {
    await w.write("zh.txt", `${"汉字".repeat(40)}\n`.repeat(1000));
    const page = await readOk(w, { path: "zh.txt", maxChars: 90_000 });
    expect(estimateTokens(page.content)).toBeLessThanOrEqual(25_000);
    expect(estimateTokens(page.content)).toBeGreaterThan(24_800);
    expect(page).toMatchObject({
      truncated: true,
      next: { path: "zh.txt", offset: page.lineCount + 1, maxChars: 90_000 },
    });
    expect(page.notice).toContain("25000 estimated tokens");
  });

  test("17. one long Chinese line is split by token weight", async () => {
    await w.write("line.txt", "汉".repeat(60_000));
    const shown: number[] = [];
    let args: object | undefined = { path: "line.txt", limit: 1 };
    while (args !== undefined) {
      const page = await readOk(w, args);
      expect(estimateTokens(page.content)).toBeLessThanOrEqual(25_000);
      shown.push(chars(shownLines(page).get(1) ?? ""));
      args = page.next;
    }
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(60_000);
    expect(shown).toHaveLength(3);
    expect(shown[0]).toBeGreaterThan(24_900);
  });

  test("18. a tail read whose last line cannot fit gives a bounded forward continuation", async () => {
    const last = "z".repeat(250_000);
    await w.write("tail.txt", `first\nsecond\n${last}`);
    const pieces: string[] = [];
    let args: object | undefined = { path: "tail.txt", offset: -1 };
    while (args !== undefined) {
      const page = await readOk(w, args);
      expect(chars(page.content)).toBeLessThanOrEqual(100_000);
      expect(page.offset).toBe(3);
      pieces.push(shownLines(page).get(3) ?? "");
      args = page.next;
    }
    expect(pieces.join("")).toBe(last);
    const tail = await w.toolbox({ limits: { maxLineChars: 300_000 } });
    const page = await readOk(tail, { path: "tail.txt", offset: -3 });
    expect(page).toMatchObject({ offset: 3, lineCount: 1, truncated: true, column: 1, lineChars: 250_000 });
    expect(page.next).toMatchObject({ offset: 3, limit: 1, column: 1 + chars(shownLines(page).get(3) ?? "") });
    expect(page.notice).toContain("Lines 1-2 before it were left out");
  });

  test.each([
    ["forward", { offset: 101, limit: 800 }],
    ["tail", { offset: -800 }],
    ["first lines of a tail", { offset: -900, limit: 800 }],
  ])(
    "19. a Chinese range over the token cap (%s) is an error whose own arguments return a full page",
    async (_, range) => {
      await w.write("zh.txt", `${"汉字".repeat(40)}\n`.repeat(1000));
      const error = await readError(w, { path: "zh.txt", ...range, maxChars: 95_000 });
      expect(error.code).toBe("RANGE_TOO_LARGE");
      const { maxLines, arguments: args } = error.details as { maxLines: number; arguments: object };
      expect(error.message).toContain(`${maxLines} lines fit`);
      expect(args).toMatchObject({ path: "zh.txt", maxChars: 95_000 });
      const page = await readOk(w, args);
      expect(page).toMatchObject({ lineCount: maxLines, truncated: false });
      expect(estimateTokens(page.content)).toBeGreaterThan(24_800);
    },
  );

  test("19. a Chinese range over both caps is an error as well", async () => {
    await w.write("zh.txt", `${"汉字".repeat(40)}\n`.repeat(3000));
    const error = await readError(w, { path: "zh.txt", limit: 3000 });
    expect(error.code).toBe("RANGE_TOO_LARGE");
    const { maxLines, arguments: args } = error.details as { maxLines: number; arguments: object };
    expect(await readOk(w, args)).toMatchObject({ lineCount: maxLines, truncated: false });
  });

  test("20. an ASCII range over the character cap alone pages, and next goes on to its end", async () => {
    await w.write("wide.txt", `${"w".repeat(99)}\n`.repeat(3000));
    const seen: number[] = [];
    let args: object = { path: "wide.txt", offset: 11, limit: 1500 };
    for (;;) {
      const page = await readOk(w, args);
      seen.push(...shownLines(page).keys());
      if (!page.truncated) break;
      expect(page.next).toEqual({ path: "wide.txt", offset: seen.length + 11, limit: 1500 - seen.length });
      args = page.next ?? {};
    }
    expect(seen).toEqual(Array.from({ length: 1500 }, (_, index) => index + 11));
  });

  test("21. a whole file has no notice; a range of it has", async () => {
    await w.write("ten.txt", "line\n".repeat(10));
    const whole = await readOk(w, { path: "ten.txt" });
    expect(whole.notice).toBeUndefined();
    expect(whole.next).toBeUndefined();
    expect((await readOk(w, { path: "ten.txt", offset: 3, limit: 2 })).notice).toBe("Lines 3-4 of 10.");
  });

  test("22. the description shows the configured limits and no placeholder", async () => {
    const limits = { readDefaultLines: 1234, readMaxLines: 2345, readMaxChars: 80_004, maxLineChars: 4567 };
    const box = await w.toolbox({ limits });
    const description = box.tools.find(({ name }) => name === "Read")?.description ?? "";
    for (const number of ["1234", "2345", "80004", "20001", "4567", "131072"]) expect(description).toContain(number);
    expect(description).not.toMatch(/\$\{|undefined|NaN|\{\{/);
    for (const word of ["offset", "limit", "maxChars", "column", "encoding"]) expect(description).toContain(word);
  });

  test("24. a single-line request and a column continuation always page", async () => {
    await w.write("line.txt", `short\n${"汉".repeat(90_000)}\n`);
    const line = await readOk(w, { path: "line.txt", offset: 2, limit: 1 });
    expect(line).toMatchObject({ lineCount: 1, truncated: true, column: 1, lineChars: 90_000 });
    const tail = await readOk(w, { path: "line.txt", offset: -1 });
    expect(tail).toMatchObject({ lineCount: 1, truncated: true, column: 1, lineChars: 90_000 });
    const piece = await readOk(w, { path: "line.txt", offset: 2, limit: 1, column: 40_001 });
    expect(piece).toMatchObject({ lineCount: 1, truncated: true, column: 40_001, lineChars: 90_000 });
    expect(estimateTokens(piece.content)).toBeLessThanOrEqual(25_000);
  });
});
