import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSpillResources, MAX_LISTED, PAGE_BYTES } from "../../src/mcp/spill-resources.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-spills-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function text(uri: string): Promise<string | undefined> {
  const page = await createSpillResources(folder).read(new URL(uri));
  const [content] = page?.contents ?? [];
  return content !== undefined && "text" in content ? content.text : undefined;
}

/** All pages without their last lines, and how many they were. */
async function pages(name: string): Promise<{ whole: string; count: number; largest: number }> {
  let uri: string | undefined = `spill:///${name}`;
  const parts: string[] = [];
  let largest = 0;
  while (uri !== undefined) {
    const page: string = (await text(uri)) ?? "";
    largest = Math.max(largest, Buffer.byteLength(page));
    const last = /\n?\[bytes \d+ to \d+ of \d+(?:; next: (\S+))?\]$/.exec(page);
    const body = last === null ? page : page.slice(0, last.index);
    parts.push(last?.[0].startsWith("\n") === true && body.length < page.length ? `${body}\n` : body);
    uri = last?.[1];
  }
  return { whole: parts.join(""), count: parts.length, largest };
}

describe("createSpillResources", () => {
  test("lists nothing where there is no folder", async () => {
    await expect(createSpillResources(join(folder, "none")).list()).resolves.toEqual([]);
  });

  test("lists the newest files, and no more than 100", async () => {
    for (let index = 0; index < MAX_LISTED + 5; index += 1) {
      const path = join(folder, `stdout-${index}.log`);
      await writeFile(path, "x".repeat(index));
      await utimes(path, index, index);
    }
    await mkdir(join(folder, "a-folder"));
    const listed = await createSpillResources(folder).list();
    expect(listed).toHaveLength(MAX_LISTED);
    expect(listed[0]).toMatchObject({ uri: "spill:///stdout-104.log", size: 104, mimeType: "text/plain" });
  });

  test("gives a short file as it is", async () => {
    await writeFile(join(folder, "a.log"), "one\ntwo");
    expect(await text("spill:///a.log")).toBe("one\ntwo");
  });

  test.each([
    ["spill:///none.log"],
    ["spill:///..%2Fsecret"],
    ["spill:///../secret"],
    ["spill:///a-folder"],
    ["spill:///.hidden"],
    ["spill:///%zz"],
    ["spill:///a-link.log"],
    ["spill:///a.log?offset=-1"],
    ["spill:///a.log?offset=x"],
  ])("knows no %s", async (uri) => {
    await mkdir(join(folder, "a-folder"));
    await writeFile(join(folder, "a.log"), "x");
    await writeFile(join(folder, ".hidden"), "x");
    // Windows lets few make one.
    await symlink(join(folder, "a.log"), join(folder, "a-link.log")).catch(() => undefined);
    expect(await text(uri)).toBeUndefined();
  });

  test("shows nothing that a link leads to, be it a file or the folder itself", async () => {
    const other = join(folder, "other");
    const linked = join(folder, "linked");
    await mkdir(other);
    await writeFile(join(other, "a.log"), "x");
    await symlink(join(other, "a.log"), join(folder, "a-link.log"), "file");
    await symlink(other, linked, "junction");
    expect(await createSpillResources(folder).list()).toEqual([]);
    expect(await createSpillResources(linked).list()).toEqual([]);
    expect(await createSpillResources(linked).read(new URL("spill:///a.log"))).toBeUndefined();
    expect(await createSpillResources(other).read(new URL("spill:///a.log"))).toBeDefined();
  });

  test("pages end after a line, or before a character, and together are the file", async () => {
    const line = fc.tuple(fc.constantFrom("a", "é", "漢", "🟡"), fc.integer({ min: 1, max: 20_000 }));
    const file = fc.array(line, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom("\n", ""), async (lines, end) => {
        const whole = lines.map(([character, count]) => `${character.repeat(count)}${end}`).join("");
        await writeFile(join(folder, "p.log"), whole);
        const read = await pages("p.log");
        expect(read.whole.replaceAll("\n", "")).toBe(whole.replaceAll("\n", ""));
        expect(read.whole).not.toContain("\ufffd");
        expect(read.largest).toBeLessThan(PAGE_BYTES + 200);
        expect(read.count).toBeGreaterThanOrEqual(Math.ceil(Buffer.byteLength(whole) / PAGE_BYTES));
      }),
      { numRuns: 40 },
    );
  });
});
