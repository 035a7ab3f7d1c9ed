import { describe, expect, test } from "vitest";
import { callTarget } from "../../src/report/call-target.ts";

describe("callTarget", () => {
  test.each([
    ["Read", { file_path: "a.ts" }, { callKind: "read", paths: ["a.ts"], range: { start: 1 } }],
    [
      "read",
      { path: "a.ts", offset: 11, limit: 10 },
      { callKind: "read", paths: ["a.ts"], range: { start: 11, end: 20 } },
    ],
    ["mcp__files__read_file", { path: "a.ts" }, { callKind: "read", paths: ["a.ts"] }],
    ["Grep", { pattern: "x", path: "src" }, { callKind: "search", paths: [] }],
    ["Edit", { file_path: "a.ts" }, { callKind: "edit", paths: ["a.ts"] }],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n" },
      { callKind: "edit", paths: ["a.ts", "b.ts"] },
    ],
    ["Bash", { command: "npm test" }, { callKind: "command", paths: [] }],
    [
      "shell",
      { command: ["bash", "-lc", "sed -n '1,40p' src/a.ts"] },
      { callKind: "read", paths: ["src/a.ts"], range: { start: 1, end: 40 } },
    ],
    ["exec_command", { cmd: "cat 'my file'" }, { callKind: "read", paths: ["my file"], range: { start: 1 } }],
    ["exec_command", { cmd: "cat a.ts | wc -l" }, { callKind: "command", paths: [] }],
    ["exec_command", { cmd: "head -n 5 a.ts" }, { callKind: "read", paths: ["a.ts"], range: { start: 1, end: 5 } }],
    ["TodoWrite", { todos: [] }, { callKind: "other", paths: [] }],
    ["Task", "text", { callKind: "other", paths: [] }],
    ["Read", null, { callKind: "read", paths: [] }],
  ])("%s %j", (tool, args, wanted) => {
    expect(callTarget(tool, args)).toMatchObject(wanted);
  });

  test("calls have the same key when tool and arguments are the same", () => {
    const key = (tool: string, args: unknown): string => callTarget(tool, args).key;
    expect(key("Grep", { pattern: "x" })).toBe(key("Grep", { pattern: "x" }));
    expect(key("Grep", { pattern: "x" })).not.toBe(key("Grep", { pattern: "y" }));
  });
});
