import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { pageAssets } from "../../scripts/build-page.mjs";

test("the page's assets are what its sources give", async () => {
  const made = await pageAssets();
  const kept = await readFile(new URL("../../src/report/page-assets.ts", import.meta.url), "utf8");
  expect(kept === made, 'run "node packages/host/scripts/build-page.mjs"').toBe(true);
}, 60_000);
