import { describe, expect, test } from "vitest";

describe("@spillway/tools/edit", () => {
  test("exports the language, nothing that touches files", async () => {
    const names = Object.keys(await import("../../src/edit/index.ts")).sort();
    expect(names).toEqual(["applyOps", "applyOpsToText", "diffTexts", "openBlocks", "parseOps"]);
  });
});
