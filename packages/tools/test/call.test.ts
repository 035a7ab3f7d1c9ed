import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AnyTool, callTool } from "../src/call.ts";
import { ToolError } from "../src/error.ts";
import type { Session } from "../src/session.ts";

const inputSchema = z.strictObject({
  path: z.string().describe("A path"),
  limit: z.number().int().min(1).max(10).optional(),
});
const properties = { path: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 10 } };

function tool(execute: AnyTool["execute"]): AnyTool {
  return { name: "Read", description: "", risk: "low", inputSchema, outputSchema: z.any(), execute };
}

const env = (signal = new AbortController().signal) => ({
  session: {} as unknown as Session,
  signal,
  toolCallId: "call-1",
});

const echo = tool(async (input: object) => ({ input }));

describe("callTool", () => {
  test("gives the result of parsed arguments", async () => {
    expect(await callTool(echo, properties, { path: "a", limit: "3" }, env())).toEqual({
      ok: true,
      tool: "Read",
      result: { input: { path: "a", limit: 3 } },
    });
  });

  test("puts a reduced value into the notice, before the tool's own", async () => {
    const noting = tool(async () => ({ notice: "Own words." }));
    expect(await callTool(noting, properties, { path: "a", limit: 50 }, env())).toMatchObject({
      result: { notice: "limit 50 was reduced to the maximum 10. Own words." },
    });
    expect(await callTool(echo, properties, { path: "a", limit: 50 }, env())).toMatchObject({
      result: { notice: "limit 50 was reduced to the maximum 10." },
    });
  });

  test.each([
    [{}, 'Read needs "path": give a text'],
    [{ path: 7 }, 'Read cannot take "path" 7: give a text'],
    [{ path: "a", limit: 0 }, 'Read cannot take "limit" 0: give at least 1'],
    [{ path: "a", limit: "many" }, 'Read cannot take "limit" "many": give a number'],
    [{ path: "a", limit: 1.5 }, 'Read cannot take "limit" 1.5: give a whole number'],
    [{ path: "a", pth: 1 }, 'Read has no argument "pth": did you mean "path"? Read takes path, limit'],
  ])("names the field, the value and what is accepted for %j", async (args, message) => {
    expect(await callTool(echo, properties, args, env())).toMatchObject({
      ok: false,
      tool: "Read",
      error: { code: "INVALID_ARGUMENT", message },
    });
  });

  test("keeps every field of a tool error, and what a command had printed", async () => {
    const failing = tool(async () => {
      throw new ToolError("TOOL_FAILED", "It failed", { next: "look", details: { a: 1 }, result: { stdout: "x" } });
    });
    expect(await callTool(failing, properties, { path: "a" }, env())).toEqual({
      ok: false,
      tool: "Read",
      error: { code: "TOOL_FAILED", message: "It failed: look", next: "look", details: { a: 1 } },
      result: { stdout: "x" },
    });
  });

  test("turns a fault of the program into data that names it", async () => {
    const faulty = tool(async () => {
      throw new TypeError("boom");
    });
    expect(await callTool(faulty, properties, { path: "a" }, env())).toMatchObject({
      ok: false,
      error: { code: "TOOL_FAILED", message: expect.stringContaining("TypeError: boom") },
    });
  });

  test("reports an abort during the call as data", async () => {
    const abort = new AbortController();
    const waiting = tool(async () => {
      abort.abort(new Error("enough"));
      throw abort.signal.reason;
    });
    expect(await callTool(waiting, properties, { path: "a" }, env(abort.signal))).toMatchObject({
      ok: false,
      error: { code: "ABORTED" },
    });
  });

  test("throws the abort reason for a call that had not begun", async () => {
    await expect(callTool(echo, properties, { path: "a" }, env(AbortSignal.abort(new Error("late"))))).rejects.toThrow(
      "late",
    );
  });
});
