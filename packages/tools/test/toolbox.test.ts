import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@spillway/limits";
import { afterEach, describe, expect, test } from "vitest";
import { renderForModel } from "../src/render.ts";
import { createToolbox } from "../src/toolbox.ts";
import { createWorkspace, type Workspace } from "./helpers/workspace.ts";

const opened: Workspace[] = [];

async function workspace(...args: Parameters<typeof createWorkspace>): Promise<Workspace> {
  const made = await createWorkspace(...args);
  opened.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.remove()));
});

const thousand = Array.from({ length: 1000 }, (_, index) => `line ${index + 1} of the file`).join("\n");

describe("createToolbox", () => {
  test("offers six tools whose JSON schemas are closed objects", async () => {
    const { tools } = await (await workspace()).toolbox();
    expect(tools.map((tool) => [tool.name, tool.risk])).toEqual([
      ["Read", "low"],
      ["Glob", "low"],
      ["Grep", "low"],
      ["Bash", "execute"],
      ["Write", "edit"],
      ["Edit", "edit"],
    ]);
    for (const { name, inputJsonSchema, description } of tools) {
      expect(inputJsonSchema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(inputJsonSchema), name).not.toMatch(/"(reduce|synonyms|\$schema)"/);
      for (const property of Object.values(inputJsonSchema.properties as Record<string, { description?: string }>)) {
        expect(property.description, name).toEqual(expect.any(String));
      }
      expect(description, name).not.toMatch(/\$\{|undefined|NaN|\[object/);
    }
  });

  test.each([
    [{ root: "" }, "root is missing"],
    [{ root: "/no/such/folder" }, 'root "/no/such/folder" does not exist'],
    [{ root: import.meta.filename }, "is not a directory"],
    [{ root: import.meta.dirname, sessionId: "../x" }, 'sessionId "../x" cannot name a folder'],
    [{ root: import.meta.dirname, externalPaths: ["relative"] }, 'externalPaths "relative" is relative'],
    [{ root: import.meta.dirname, limits: { globLimit: 0 } }, "globLimit"],
  ])("refuses %j", async (options, message) => {
    await expect(createToolbox(options)).rejects.toThrow(message);
  });

  test("throws for an unknown tool and names the nearest", async () => {
    const { call } = await (await workspace()).toolbox();
    await expect(call("Raed", {})).rejects.toThrow('There is no tool "Raed": did you mean "Read"?');
  });

  test("asks the host for the very path that lies outside", async () => {
    const other = await workspace({ "notes.txt": "outside\n" });
    const asked: string[] = [];
    const here = await workspace(
      {},
      {
        externalPaths: (path, access) => {
          asked.push(`${access} ${path}`);
          return path.endsWith("notes.txt");
        },
      },
    );
    const notes = other.path("notes.txt");
    expect(await here.call("Read", { path: notes })).toMatchObject({
      ok: true,
      result: { root: "external", path: notes },
    });
    expect(asked).toEqual([`read ${notes}`]);
    expect(await here.call("Read", { path: other.root })).toMatchObject({ error: { code: "PATH_OUTSIDE_WORKSPACE" } });
  });

  test("takes a list of outside paths, a folder with what lies in it", async () => {
    const other = await workspace({ "a/b.txt": "b\n", "c.txt": "c\n" });
    const here = await workspace({}, { externalPaths: [other.path("a")] });
    expect(await here.call("Read", { path: other.path("a/b.txt") })).toMatchObject({ ok: true });
    expect(await here.call("Read", { path: other.path("c.txt") })).toMatchObject({ ok: false });
  });

  test("asks the host for the very file that holds secrets, by name or by content", async () => {
    const asked: string[] = [];
    const pem = "-----BEGIN PRIVATE KEY-----\nabc\n";
    const here = await workspace(
      { ".env": "KEY=1\n", "site.pem": pem, "other/.env": "KEY=2\n" },
      {
        secrets: (path) => {
          asked.push(path);
          return !path.includes("other");
        },
      },
    );
    for (const path of [".env", "site.pem"]) expect(await here.call("Read", { path })).toMatchObject({ ok: true });
    expect(await here.call("Read", { path: "other/.env" })).toMatchObject({ error: { code: "SENSITIVE_PATH" } });
    expect(asked).toEqual([".env", "site.pem", "other/.env"].map(here.path));
  });

  test("counts tokens of texts, special tokens as plain text", async () => {
    const box = await (await workspace()).toolbox();
    expect(await box.countTokens(["hello world", "", "<|endoftext|>"])).toEqual([2, 0, expect.any(Number)]);
    await expect(box.countTokens(["x"], { signal: AbortSignal.abort(new Error("late")) })).rejects.toThrow("late");
  });

  test("leaves no listener on the caller's signal and refuses one that was aborted before", async () => {
    const { call } = await (await workspace({ "a.txt": "a\n" })).toolbox();
    const abort = new AbortController();
    await call("Read", { path: "a.txt" }, { signal: abort.signal });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
    abort.abort(new Error("enough"));
    await expect(call("Read", { path: "a.txt" }, { signal: abort.signal })).rejects.toThrow("enough");
  });

  test("ends running calls on close, removes the scratch directory when asked, and refuses calls afterwards", async () => {
    const box = await (await workspace()).toolbox();
    await box.call("Bash", { command: "seq 1 100000" });
    expect(existsSync(box.scratchDir)).toBe(true);
    const running = box.call("Bash", { command: "sleep 300" });
    await box.close({ remove: true });
    expect(await running).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(existsSync(box.scratchDir)).toBe(false);
    await expect(box.call("Read", { path: "a" })).rejects.toThrow("closed");
  });

  test("works when the data folder cannot be made", async () => {
    const made = await workspace({ file: "", "a.txt": "a\n" });
    const box = await made.toolbox({ dataDir: join(made.path("file"), "data") });
    expect(await box.call("Read", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(await box.call("Bash", { command: "echo hi" })).toMatchObject({ ok: true, result: { stdout: "hi\n" } });
  });

  test("keeps every rendered result within the caps of the host", async () => {
    const made = await workspace({ "long.txt": thousand });
    const box = await made.toolbox({ limits: { resultMaxChars: 2000, resultMaxTokens: 400, errorMaxChars: 1500 } });
    for (const [name, args] of [
      ["Read", { path: "long.txt" }],
      ["Grep", { pattern: "line" }],
      ["Bash", { command: "cat long.txt; cat long.txt >&2" }],
      ["Bash", { command: "cat long.txt; cat long.txt >&2; exit 1" }],
    ] as const) {
      const outcome = await box.call(name, args);
      const text = renderForModel(outcome);
      expect(text.length, name).toBeLessThanOrEqual(outcome.ok ? 2000 : 1500);
      expect(estimateTokens(text), name).toBeLessThanOrEqual(400);
      expect(text.length, name).toBeGreaterThan(1000);
    }
  });
});

describe("renderForModel", () => {
  test("fits a Read into a share by whole lines, and its next call continues there", async () => {
    const made = await workspace({ "long.txt": thousand });
    const outcome = await made.call("Read", { path: "long.txt" });
    for (const maxTokens of [100, 250, 1000, 4000]) {
      const text = renderForModel(outcome, { maxTokens });
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      const shown = [...text.matchAll(/^(\d+):line (\d+) of the file$/gm)];
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.map(([, number]) => Number(number))).toEqual(shown.map((_, index) => index + 1));
      expect(text).toContain(`"offset":${shown.length + 1}`);
    }
  });

  test("says the code, the message and ready arguments of an error", async () => {
    const made = await workspace({ "a.txt": "a\n" });
    expect(renderForModel(await made.call("Read", { path: "b.txt" }))).toBe(
      'Error PATH_NOT_FOUND: "b.txt" does not exist: did you mean "a.txt"?',
    );
  });
});
