import { expect, test } from "vitest";
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
