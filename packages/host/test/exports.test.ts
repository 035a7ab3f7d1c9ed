import { expect, test } from "vitest";
import * as aiSdk from "../src/ai-sdk.ts";
import * as host from "../src/index.ts";

test("the package exports these names", () => {
  expect(Object.keys(host).sort()).toEqual([
    "HOST_ERROR_CODES",
    "HostError",
    "createAgent",
    "demoModel",
    "isHostError",
  ]);
});

test("the subpath for loops of the AI SDK exports these names", () => {
  expect(Object.keys(aiSdk).sort()).toEqual(["createPrepareStep", "createTools"]);
});
