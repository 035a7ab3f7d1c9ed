import { describe, expect, test } from "vitest";
import { commandGrant, covers } from "../src/command-grant.ts";

describe("commandGrant", () => {
  test.each([
    ["git status", ["git", "status"]],
    ["  git   status --short  ", ["git", "status"]],
    ['git commit -m "two words"', ["git", "commit"]],
    ["npm run build", ["npm", "run"]],
    ["make", ["make"]],
    ["cargo test -- --nocapture", ["cargo", "test"]],
  ])("covers the program and first word of %j", (command, words) => {
    expect(commandGrant({ command }).words).toEqual(words);
  });

  test.each([
    ["a second command", "git status; rm -rf /"],
    ["a conditional command", "git status && rm x"],
    ["a pipe", "git log | sh"],
    ["the background", "git status & rm x"],
    ["a new line", "git status\nrm x"],
    ["a substitution", "git status $(rm x)"],
    ["a substitution in quotes", 'git commit -m "$(rm x)"'],
    ["backticks", "git status `rm x`"],
    ["a redirection", "git log > .bashrc"],
    ["a variable as the program", "$EDITOR file"],
    ["an assignment", "GIT_SSH_COMMAND=evil git fetch"],
    ["an option as first word", "git -c core.pager=evil log"],
    ["a path as first word", "cat /etc/passwd"],
    ["a path as program", "./script.sh run"],
    ["a quoted program", "'git' status"],
    ["an interpreter", "python3 script"],
    ["a shell", "bash script"],
    ["a wrapper", "env git status"],
    ["a destroyer", "rm build"],
    ["nothing", ""],
  ])("covers only the very call for %s", (_title, command) => {
    expect(commandGrant({ command }).words).toBeUndefined();
  });
});

describe("covers", () => {
  const grant = commandGrant({ command: "npm test" });

  test.each([
    [{ command: "npm test" }, true],
    [{ command: "npm test -- --watch" }, true],
    [{ command: "npm install" }, false],
    [{ command: "npm" }, false],
    [{ command: "npm test && rm -rf ." }, false],
    [{ command: "npm test", cwd: "elsewhere" }, false],
    [{ command: "npm test", env: { NODE_OPTIONS: "--require ./evil.js" } }, false],
    ["npm test", false],
    [null, false],
  ])("a yes to `npm test`: %j is %s", (args, expected) => {
    expect(covers(grant, args)).toBe(expected);
  });

  test("a yes to one program without words does not cover its words", () => {
    expect(covers(commandGrant({ command: "make" }), { command: "make deploy" })).toBe(false);
  });

  test("a yes to a compound command covers that text alone", () => {
    const compound = commandGrant({ command: "cd a && make" });
    expect(covers(compound, { command: "cd a && make" })).toBe(true);
    expect(covers(compound, { command: "cd b && make" })).toBe(false);
  });
});
