import { describe, expect, test } from "vitest";
import { buildContext, entriesOf, type Fact, INTERRUPTED_RESULT } from "../src/index.ts";
import { A, calls, results, U } from "./helpers/messages.ts";

const fact = (id: string, t: string, fields: Readonly<Record<string, unknown>>): Fact => ({
  ...{ v: 1, id, ts: "2026-01-01T00:00:00.000Z", t },
  ...fields,
});
const resultPart = (toolCallId: string, value: string) => ({
  ...{ type: "tool-result", toolCallId, toolName: "Read" },
  output: { type: "text", value },
});

describe("entriesOf", () => {
  test("reads messages, notes and results; other facts are none", () => {
    const facts = [
      fact("1", "session", { root: "/w" }),
      fact("2", "user", { message: U("q") }),
      fact("3", "assistant", { message: calls({ a: {}, b: {} }) }),
      fact("4", "start", { toolCallId: "a" }),
      fact("5", "result", { part: resultPart("b", "b done first") }),
      fact("6", "note", { message: U("the build finished") }),
      fact("7", "assistant", { message: A("so") }),
    ];
    const entries = entriesOf(facts);
    expect(entries).toEqual([
      { id: "2", message: U("q") },
      { id: "3", message: calls({ a: {}, b: {} }) },
      { id: "5", message: results({ b: "b done first" }) },
      { id: "6", message: U("the build finished"), note: true },
      { id: "7", message: A("so") },
    ]);
    const [, , answered] = buildContext(entries);
    expect(answered?.content).toMatchObject([
      { toolCallId: "a", output: { type: "error-text", value: INTERRUPTED_RESULT } },
      { toolCallId: "b", output: { type: "text", value: "b done first" } },
    ]);
  });

  test.each([
    ["a message of another role", fact("1", "user", { message: A("x") })],
    ["a message without content", fact("1", "user", { message: { role: "user" } })],
    ["a part that is none", fact("1", "user", { message: { role: "user", content: [null] } })],
    ["a result without an output", fact("1", "result", { part: { type: "tool-result", toolCallId: "a" } })],
    ["no message", fact("1", "assistant", {})],
  ])("leaves out %s", (_, broken) => {
    expect(entriesOf([broken])).toEqual([]);
  });
});
