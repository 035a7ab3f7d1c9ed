import { describe, expect, test } from "vitest";
import { COMMANDS, parseArguments } from "../../src/cli/arguments.ts";

describe("parseArguments", () => {
  test.each([
    [[], { kind: "help" }],
    [["--help"], { kind: "help" }],
    [["help"], { kind: "help" }],
    [["run", "-h"], { kind: "help", command: "run" }],
    [["tool", "Read", "--help"], { kind: "help", command: "tool" }],
    [["--version"], { kind: "version" }],
    [["demo"], { kind: "command", parsed: { command: "demo", words: [], flags: {} } }],
    [
      ["run", "a task", "--model=demo", "--root", "x", "--json"],
      {
        kind: "command",
        parsed: { command: "run", words: ["a task"], flags: { model: "demo", root: "x", json: true } },
      },
    ],
    [
      ["resume", "--mode", "auto", "id", "and now?"],
      { kind: "command", parsed: { command: "resume", words: ["id", "and now?"], flags: { mode: "auto" } } },
    ],
    [["run", "--", "--json"], { kind: "command", parsed: { command: "run", words: ["--json"], flags: {} } }],
    [["run", "-"], { kind: "command", parsed: { command: "run", words: ["-"], flags: {} } }],
  ])("reads %j", (argv, expected) => {
    expect(parseArguments(argv)).toEqual(expected);
  });

  test.each([
    [["rnu"], 'Unknown command "rnu": did you mean "run"?'],
    [["frobnicate"], `Unknown command "frobnicate": use one of ${COMMANDS.join(", ")}`],
    [["--json"], 'Unknown flag "--json"'],
    [["run"], 'Too few words for "run": spillway run "task"'],
    [["run", "fix", "it"], 'Too many words for "run" from "it" on: spillway run "task"'],
    [["run", "x", "--modle", "y"], 'Unknown flag "--modle" for "run": did you mean "--model"?'],
    [["run", "x", "--model"], 'The flag "--model" needs a value: --model VALUE'],
    [["run", "x", "--model="], 'The flag "--model" needs a value'],
    [["run", "x", "--json=yes"], 'The flag "--json" takes no value, not "yes": leave it out'],
    [["demo", "--json"], 'Unknown flag "--json" for "demo": "demo" takes none'],
    [["run", "x", "--constructor"], 'Unknown flag "--constructor" for "run"'],
    [["tool", "Read"], 'Too few words for "tool"'],
  ])("refuses %j and says how to go on", (argv, message) => {
    const outcome = parseArguments(argv);
    expect(outcome.kind).toBe("wrong");
    expect(outcome.kind === "wrong" && outcome.message).toContain(message);
  });
});
