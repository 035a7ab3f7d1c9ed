import { describe, expect, test } from "vitest";
import type { AgentOptions } from "../src/agent.ts";
import { checkOptions } from "../src/check-options.ts";
import { demoModel } from "../src/demo/model.ts";

const model = demoModel();

/** As a program in plain JavaScript would give them. */
function check(options: unknown): () => void {
  return () => checkOptions(options as AgentOptions);
}

describe("checkOptions", () => {
  test.each([
    [undefined, "createAgent takes options: give { model, root }"],
    [{ root: "." }, "model is missing: give a model of the AI SDK, or demoModel()"],
    [{ model }, "root is missing: name the workspace directory"],
    [{ model, root: "" }, "root is missing: name the workspace directory"],
    [{ model, root: ".", mode: "yolo" }, 'Invalid mode "yolo": use one of ask, accept-edits, auto'],
    [{ model, root: ".", dataDir: 5 }, "Invalid dataDir 5: give a text"],
    [{ model, root: ".", sessionId: null }, "Invalid sessionId null: give a text"],
    [{ model, root: ".", system: ["x"] }, "Invalid system x: give a text"],
    [{ model, root: ".", tools: {} }, "Invalid tools [object Object]: give a list of tools"],
    [{ model, root: ".", onPermission: "deny" }, 'Invalid onPermission "deny": give a function'],
    [{ model, root: ".", stallMs: "9" }, 'Invalid stallMs "9": give milliseconds, up to 2147483647'],
    [{ model, root: ".", stallMs: Infinity }, "Invalid stallMs Infinity: give milliseconds, up to 2147483647"],
    [
      { model, root: ".", permissionTimeoutMs: -1 },
      "Invalid permissionTimeoutMs -1: give milliseconds, up to 2147483647, or Infinity",
    ],
  ])("refuses %j", (options, message) => {
    expect(check(options)).toThrow(message);
  });

  test.each([
    { model, root: "." },
    { model: "provider/name", root: "." },
    {
      model,
      root: ".",
      mode: "auto",
      tools: [],
      onPermission: () => "deny",
      stallMs: 1,
      permissionTimeoutMs: Infinity,
    },
    { model, root: ".", dataDir: undefined, sessionId: "x", system: "" },
  ])("takes %o", (options) => {
    expect(check(options)).not.toThrow();
  });
});
