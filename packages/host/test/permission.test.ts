import { describe, expect, test } from "vitest";
import {
  createGrants,
  describeScope,
  modeThatAllows,
  type PermissionMode,
  type PermissionReason,
  pathNeedsYes,
  reasonToAsk,
} from "../src/permission.ts";

describe("reasonToAsk", () => {
  test.each<[PermissionMode, ...(PermissionReason | undefined)[]]>([
    ["ask", undefined, "edit", "destructive", "execute"],
    ["accept-edits", undefined, undefined, "destructive", "execute"],
    ["auto", undefined, undefined, undefined, undefined],
  ])("in %s: low %s, edit %s, destructive %s, execute %s", (mode, low, edit, destructive, execute) => {
    expect(reasonToAsk(mode, "low")).toBe(low);
    expect(reasonToAsk(mode, "edit")).toBe(edit);
    expect(reasonToAsk(mode, "destructive")).toBe(destructive);
    expect(reasonToAsk(mode, "execute")).toBe(execute);
  });
});

describe("pathNeedsYes", () => {
  test("outside paths are free in auto only, secret paths never", () => {
    expect(pathNeedsYes("accept-edits", "outside")).toBe(true);
    expect(pathNeedsYes("auto", "outside")).toBe(false);
    expect(pathNeedsYes("auto", "secret")).toBe(true);
  });
});

describe("modeThatAllows", () => {
  test("edits need accept-edits, the rest auto, a secret has no mode", () => {
    expect(modeThatAllows("edit")).toBe("accept-edits");
    expect(modeThatAllows("execute")).toBe("auto");
    expect(modeThatAllows("outside")).toBe("auto");
    expect(modeThatAllows("secret")).toBeUndefined();
  });
});

describe("createGrants", () => {
  test("nothing is allowed that was not added", () => {
    expect(createGrants().allows({ toolName: "Write", args: {}, reason: "edit" })).toBe(false);
  });

  test("a grant for a tool's edits covers its later edits, not removing, not another tool", () => {
    const grants = createGrants();
    grants.add({ toolName: "Edit", args: { path: "a" }, reason: "edit" });
    expect(grants.allows({ toolName: "Edit", args: { path: "b" }, reason: "edit" })).toBe(true);
    expect(grants.allows({ toolName: "Edit", args: { path: "b" }, reason: "destructive" })).toBe(false);
    expect(grants.allows({ toolName: "Write", args: { path: "b" }, reason: "edit" })).toBe(false);
  });

  test("a grant for an outside path covers that path for that tool", () => {
    const grants = createGrants();
    grants.add({ toolName: "Read", args: {}, reason: "outside", path: "/etc/hosts" });
    expect(grants.allows({ toolName: "Read", args: {}, reason: "outside", path: "/etc/hosts" })).toBe(true);
    expect(grants.allows({ toolName: "Read", args: {}, reason: "outside", path: "/etc/passwd" })).toBe(false);
    expect(grants.allows({ toolName: "Read", args: {}, reason: "secret", path: "/etc/hosts" })).toBe(false);
  });

  test("a grant for a command covers its program and first word", () => {
    const grants = createGrants();
    grants.add({ toolName: "Bash", args: { command: "git status" }, reason: "execute" });
    expect(grants.allows({ toolName: "Bash", args: { command: "git status -s" }, reason: "execute" })).toBe(true);
    expect(grants.allows({ toolName: "Bash", args: { command: "git push" }, reason: "execute" })).toBe(false);
  });
});

describe("describeScope", () => {
  test.each([
    [
      { toolName: "Bash", args: { command: "git push origin" }, reason: "execute" as const },
      'every plain "git push …" command',
    ],
    [{ toolName: "Bash", args: { command: "a | b" }, reason: "execute" as const }, "exactly this command"],
    [{ toolName: "Write", args: {}, reason: "edit" as const }, "every Write"],
    [{ toolName: "Read", args: {}, reason: "outside" as const, path: "/x" }, 'Read on "/x"'],
  ])("%j", (subject, words) => {
    expect(describeScope(subject)).toBe(words);
  });
});
