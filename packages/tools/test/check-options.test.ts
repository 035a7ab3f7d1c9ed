import { describe, expect, test } from "vitest";
import { checkOptions } from "../src/check-options.ts";
import type { ToolboxOptions } from "../src/create-session.ts";

/** As a program in plain JavaScript would give them. */
function check(options: unknown): () => void {
  return () => checkOptions(options as ToolboxOptions);
}

describe("checkOptions", () => {
  test.each([
    [undefined, "A toolbox takes options: give { root }"],
    [{ secrets: "deny" }, 'Invalid secrets "deny": give "refuse" or "allow" or a function'],
    [{ secrets: true }, 'Invalid secrets true: give "refuse" or "allow" or a function'],
    [{ daemons: "stay" }, 'Invalid daemons "stay": give "end" or "keep"'],
    [{ dataDir: 5 }, "Invalid dataDir 5: give a text"],
    [{ sessionId: null }, "Invalid sessionId null: give a text"],
    [{ externalPaths: "/x" }, 'Invalid externalPaths "/x": give a list of absolute paths, or a function'],
    [{ env: "PATH" }, 'Invalid env "PATH": give { allow, deny, set }'],
    [{ env: { allow: "X" } }, 'Invalid env.allow "X": give a list of names'],
    [{ env: { deny: [1] } }, "Invalid env.deny 1: give a list of names"],
    [{ env: { set: { A: 1 } } }, "Invalid env.set.A 1: give a text"],
    [{ pidNamespaces: "yes" }, 'Invalid pidNamespaces "yes": give true or false'],
    [{ workers: {} }, "Invalid workers [object Object]: give what createWorkers gives"],
  ])("refuses %j", (options, message) => {
    expect(check(options)).toThrow(message);
  });

  test.each([
    {},
    { secrets: "refuse", daemons: "keep", externalPaths: ["/x"], env: { allow: ["A"], set: { B: "1" } } },
    { secrets: () => true, externalPaths: () => false, env: {}, pidNamespaces: false, workers: { run: () => 1 } },
  ])("takes %o", (options) => {
    expect(check(options)).not.toThrow();
  });
});
