import { describe, expect, test } from "vitest";
import { fromErrno } from "../src/errno.ts";
import { ToolError } from "../src/error.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, errno: -1, syscall: "read" });
}

describe("fromErrno", () => {
  test.each([
    ["ENOENT", "PATH_NOT_FOUND", '"f" does not exist: check the path with Glob'],
    ["EACCES", "PERMISSION_DENIED", '"f" may not be accessed: ask the user to change its permissions'],
    ["EIO", "TOOL_FAILED", '"f" could not be used, the system says EIO: look at it through Bash, or ask the user'],
    [
      "ESTALE",
      "TOOL_FAILED",
      '"f" could not be used, the system says ESTALE: look at it through Bash, or ask the user',
    ],
  ])("makes of %s the error %s", (errno, code, message) => {
    expect(fromErrno(systemError(errno), "f")).toMatchObject({ code, message, details: { path: "f", errno } });
  });

  test("gives back what is no system error", () => {
    const known = new ToolError("FILE_CHANGED", "x");
    const other = new TypeError("x");
    expect(fromErrno(known, "f")).toBe(known);
    expect(fromErrno(other, "f")).toBe(other);
  });
});
