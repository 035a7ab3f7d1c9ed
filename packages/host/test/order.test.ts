import { describe, expect, test } from "vitest";
import { type CallEffect, planOrder } from "../src/order.ts";

const read = (...paths: string[]): CallEffect => ({ kind: "read", paths });
const change = (...paths: string[]): CallEffect => ({ kind: "mutation", paths });
const search: CallEffect = { kind: "search" };
const shell: CallEffect = { kind: "shell" };

describe("planOrder", () => {
  test.each<[string, CallEffect[], number[][]]>([
    ["reads and searches of a step wait for nothing", [read("a"), search, read("a"), read("b")], [[], [], [], []]],
    ["changes of one path keep the call order", [change("a"), change("a"), change("a")], [[], [0], [0, 1]]],
    ["changes of different paths do not wait", [change("a"), change("b")], [[], []]],
    ["a rename waits for changes of either name", [change("a"), change("b"), change("a", "b")], [[], [], [0, 1]]],
    ["a read waits for earlier changes of its path only", [change("a"), change("b"), read("a")], [[], [], [0]]],
    ["a change waits for earlier reads of its path", [read("a"), read("b"), change("a")], [[], [], [0]]],
    ["a search sees every earlier change", [change("a"), search], [[], [0]]],
    ["a command waits for the changes before it", [change("a"), change("b"), shell], [[], [], [0, 1]]],
    ["a change waits for the commands before it", [shell, change("a"), shell], [[], [0], [1]]],
    ["commands run side by side", [shell, shell], [[], []]],
    ["no call", [], []],
  ])("%s", (_title, calls, expected) => {
    expect(planOrder(calls)).toEqual(expected);
  });
});
