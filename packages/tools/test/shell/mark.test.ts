import { describe, expect, test } from "vitest";
import { callMark, hostMark, hostOfMark, markValue, sessionMark } from "../../src/shell/mark.ts";

const session = sessionMark("/data/scratch/one");
const host = { pid: 12, start: 3456 };

describe("sessionMark", () => {
  test("is the same for the same scratch folder and another for another", () => {
    expect(sessionMark("/data/scratch/one")).toBe(session);
    expect(sessionMark("/data/scratch/two")).not.toBe(session);
  });
});

describe("callMark", () => {
  test("of one call is no part of another's", () => {
    expect(callMark(session, host, 10)).not.toContain(callMark(session, host, 1));
  });

  test("begins with the mark of its host", () => {
    expect(callMark(session, host, 1).startsWith(hostMark(session, host))).toBe(true);
  });
});

describe("markValue", () => {
  test.each([
    [undefined, "a.1."],
    ["", "a.1."],
    ["outer.1.", "outer.1.,a.1."],
  ])("with %j outside", (outer, value) => {
    expect(markValue(outer, "a.1.")).toBe(value);
  });
});

describe("hostOfMark", () => {
  test("reads the host out of an environment", () => {
    const environ = Buffer.from(`A=1\0SPILLWAY_CALL=${callMark(session, host, 3)}\0B=2\0`);
    expect(hostOfMark(environ, session)).toEqual(host);
  });

  test.each(["A=1\0", `SPILLWAY_CALL=${"0".repeat(20)}.1-2.3.\0`])("gives nothing for %j", (environ) => {
    expect(hostOfMark(Buffer.from(environ), session)).toBeUndefined();
  });
});
