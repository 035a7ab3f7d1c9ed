import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

let w: Workspace;
beforeAll(async () => {
  w = await createWorkspace();
});
afterAll(() => w.remove());

describe("Toolbox.countTokens", () => {
  test("counts each text, special tokens as plain text", async () => {
    const box = await w.toolbox();
    expect(await box.countTokens(["hello world", "", "<|endoftext|>"])).toEqual([2, 0, 7]);
    expect(await box.countTokens([])).toEqual([]);
  });

  test("stops when its caller gives up", async () => {
    const box = await w.toolbox();
    const controller = new AbortController();
    const texts = Array.from({ length: 200 }, (_, index) => `${index} text `.repeat(20_000));
    const counting = box.countTokens(texts, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error("no longer needed")));
    await expect(counting).rejects.toThrow("no longer needed");
    expect(await box.countTokens(["still there"])).toEqual([2]);
  });
});
