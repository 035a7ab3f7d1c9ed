import { describe, expect, test } from "vitest";
import { describeRequest } from "../../src/cli/describe-request.ts";
import type { PermissionReason } from "../../src/permission.ts";

function described(toolName: string, args: unknown, reason: PermissionReason = "execute", path?: string): string {
  return describeRequest({
    toolCallId: "c",
    toolName,
    args,
    reason,
    scope: "",
    ...(path === undefined ? {} : { path }),
  });
}

describe("describeRequest", () => {
  test.each([
    ["Bash", { command: "make" }, "$ make"],
    ["Bash", { command: "a\nb\u001b[2J" }, "$ a\n    b"],
    [
      "Bash",
      { command: "make", cwd: "sub", env: { A: "1", B: "x\ny" }, background: true },
      "$ make\n    in sub\n    with A=1\n    with B=x\\ny\n    in the background",
    ],
    ["Write", { path: "a.txt", content: "one\ntwo\n" }, "Write a.txt\n    one\n    two"],
    ["Edit", { path: "a.txt", tag: "0000", ops: "REM" }, "Edit a.txt\n    REM"],
    ["deploy", { to: "prod" }, 'deploy\n    {"to":"prod"}'],
  ])("%s %j", (tool, args, text) => {
    expect(described(tool, args)).toBe(text);
  });

  test("names the path that is asked about and why", () => {
    expect(described("Read", { path: "x" }, "secret", "/w/.env")).toBe('Read x — secret path "/w/.env"');
  });

  test("shows a long text's beginning and says how much is left", () => {
    const lines = described("Write", { path: "a", content: "x\n".repeat(100) }).split("\n");
    expect(lines).toHaveLength(42);
    expect(lines.at(-1)).toBe("    … and 60 more lines");
  });
});
