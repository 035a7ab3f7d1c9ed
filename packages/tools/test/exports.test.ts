import { expect, test } from "vitest";
import * as exported from "../src/index.ts";

test("the package exports these names", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "TOOL_ERROR_CODES",
    "ToolError",
    "createToolbox",
    "createWorkers",
    "fitOutcome",
    "isToolError",
    "renderForModel",
  ]);
});
