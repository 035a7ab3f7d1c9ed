import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../src/data-folder.ts";

describe("dataFolder", () => {
  test.each([
    [{ SPILLWAY_HOME: "/a", XDG_DATA_HOME: "/b" }, "/a", "SPILLWAY_HOME"],
    [{ SPILLWAY_HOME: "", XDG_DATA_HOME: "/b" }, "/b/spillway", "XDG_DATA_HOME"],
    [{ SPILLWAY_HOME: "here" }, resolve("here"), "SPILLWAY_HOME"],
    [{}, join(homedir(), ".local/share/spillway"), "default"],
  ])("%j", (environment, path, source) => {
    expect(dataFolder(environment)).toEqual({ path, source });
  });
});
