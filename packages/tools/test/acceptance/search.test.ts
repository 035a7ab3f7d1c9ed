import { mkdirSync, utimesSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { globOk, grepLines, places } from "../helpers/search-call.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let w: Workspace;
beforeAll(async () => {
  w = await createWorkspace();
});
afterAll(() => w.remove());

describe("acceptance: Grep and Glob", () => {
  test("3. Grep stops at headLimit with truncated: true", async () => {
    await w.write("many/a.txt", "hit\n".repeat(300));
    expect(await grepLines(w, { pattern: "hit", path: "many" })).toMatchObject({ count: 200, truncated: true });
    expect(await grepLines(w, { pattern: "hit", path: "many", headLimit: 7 })).toMatchObject({
      count: 7,
      truncated: true,
      next: { pattern: "hit", path: "many", headLimit: 7, offset: 7 },
    });
    expect(await grepLines(w, { pattern: "hit", path: "many", headLimit: 300 })).toMatchObject({
      count: 300,
      truncated: false,
    });
  });

  test("4. Grep clips lines at 16 384 characters and a clipped line is not in the set that Edit accepts", async () => {
    await w.write("long.txt", `first x\n${"x".repeat(20_000)}\nlast x\n`);
    const box = await w.toolbox();
    const result = await grepLines(box, { pattern: "x", path: "long.txt" });
    expect(result.matches.map(({ text }) => text.length)).toEqual([7, 16_384, 6]);
    expect(result.notice).toContain("Line 2 of long.txt is clipped: characters 1-16384 of 20000 are shown");
    const tag = result.tags["long.txt"];
    const clipped = await box.call("Edit", { path: "long.txt", tag, ops: "PUT 2.=2:\n+short\n" });
    expect(clipped).toMatchObject({ ok: false, error: { code: "EDIT_LINES_UNSEEN" } });
    const whole = await box.call("Edit", { path: "long.txt", tag, ops: "PUT 3.=3:\n+last\n" });
    expect(whole.ok).toBe(true);
  });

  test("7. an explicit path reaches an ignored tree", async () => {
    await w.write(".gitignore", "node_modules/\n");
    await w.write("node_modules/dep/index.js", "exports.token = 1;\n");
    expect(await grepLines(w, { pattern: "exports\\.token" })).toMatchObject({ count: 0 });
    expect(places(await grepLines(w, { pattern: "exports\\.token", path: "node_modules" }))).toEqual([
      "node_modules/dep/index.js:1",
    ]);
    expect((await globOk(w, { pattern: "*.js", path: "node_modules/dep" })).matches).toEqual([
      "node_modules/dep/index.js",
    ]);
  });

  test("7. an explicit path reaches the spill folder", async () => {
    const box = await w.toolbox();
    const bash = await box.call("Bash", { command: "seq 1 50000; echo the-last-line" });
    const spillPath = bash.ok && "stdoutInfo" in bash.result ? bash.result.stdoutInfo.spillPath : undefined;
    expect(spillPath).toMatch(/tool-output/);
    const folder = String(spillPath).replace(/\/[^/]*$/, "");
    expect(places(await grepLines(box, { pattern: "^49999$", path: folder }))).toEqual([`${spillPath}:49999`]);
    expect(places(await grepLines(box, { pattern: "the-last", path: spillPath }))).toEqual([`${spillPath}:50001`]);
    expect((await globOk(box, { pattern: "*.log", path: box.scratchDir })).matches).toEqual([spillPath]);
  });

  test("8. Glob and Grep order by modification time, newest first", async () => {
    mkdirSync(w.path("order"));
    const names = ["b", "c", "a", "e", "d"];
    for (const [index, name] of names.entries()) {
      await w.write(`order/${name}.txt`, "order me\n");
      utimesSync(w.path(`order/${name}.txt`), 1_700_000_000 + index, 1_700_000_000 + index);
    }
    const newest = names.toReversed().map((name) => `order/${name}.txt`);
    expect((await globOk(w, { pattern: "order/*.txt" })).matches).toEqual(newest);
    expect((await globOk(w, { pattern: "order/*.txt", limit: 2 })).matches).toEqual(newest.slice(0, 2));
    expect((await grepLines(w, { pattern: "order me" })).matches.map(({ path }) => path)).toEqual(newest);
    expect((await grepLines(w, { pattern: "order me", headLimit: 2 })).matches.map(({ path }) => path)).toEqual(
      newest.slice(0, 2),
    );
  });
});
