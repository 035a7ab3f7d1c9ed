import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../src/config.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "spillway-config-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function settings(value: unknown): Promise<void> {
  await writeFile(join(home, "config.json"), typeof value === "string" ? value : JSON.stringify(value));
}

const TOKENS = "give a whole number of tokens, 1024 or more";

describe("loadConfig", () => {
  test("has defaults, and says that they are", async () => {
    const { config, entries } = await loadConfig({}, { SPILLWAY_HOME: home });
    expect(config).toEqual({ root: process.cwd(), mode: "ask", dataDir: home });
    expect(entries).toEqual([
      { name: "root", value: process.cwd(), source: "default" },
      { name: "mode", value: "ask", source: "default" },
      { name: "dataDir", value: home, source: "SPILLWAY_HOME" },
    ]);
  });

  test("a flag goes before the environment, which goes before the file", async () => {
    await settings({ model: "file/model", mode: "accept-edits", contextWindow: 50_000, limits: { globLimit: 7 } });
    const environment = { SPILLWAY_HOME: home, SPILLWAY_MODEL: "env/model", SPILLWAY_CONTEXT_WINDOW: "60000" };
    const { config, entries } = await loadConfig({ model: "flag/model" }, environment);
    expect(config).toMatchObject({
      model: "flag/model",
      mode: "accept-edits",
      contextWindow: 60_000,
      limits: { globLimit: 7 },
    });
    expect(Object.fromEntries(entries.map(({ name, source }) => [name, source]))).toMatchObject({
      model: "--model",
      mode: join(home, "config.json"),
      contextWindow: "SPILLWAY_CONTEXT_WINDOW",
    });
  });

  test("an empty variable is none", async () => {
    expect((await loadConfig({}, { SPILLWAY_HOME: home, SPILLWAY_MODEL: "" })).config.model).toBeUndefined();
  });

  test("finds the file and the data folder where XDG puts them", async () => {
    await mkdir(join(home, "spillway"));
    await writeFile(join(home, "spillway", "config.json"), '{"model":"demo"}');
    const { config, file } = await loadConfig({}, { XDG_CONFIG_HOME: home, XDG_DATA_HOME: join(home, "data") });
    expect(config).toMatchObject({ model: "demo", dataDir: join(home, "data", "spillway") });
    expect(file).toBe(join(home, "spillway", "config.json"));
  });

  test.each([
    [{ mode: "yolo" }, 'Invalid mode "yolo" from --mode: use one of ask, accept-edits, auto'],
    [{ contextWindow: "many" }, `Invalid contextWindow "many" from --context-window: ${TOKENS}`],
    [{ contextWindow: "10" }, `Invalid contextWindow "10" from --context-window: ${TOKENS}`],
    [
      { baseUrl: "host:1" },
      'Invalid baseUrl "host:1" from --base-url: give a URL that begins with http:// or https://',
    ],
  ])("refuses the flags %j", async (flags, message) => {
    await expect(loadConfig(flags, { SPILLWAY_HOME: home })).rejects.toMatchObject({ code: "CONFIG_INVALID", message });
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "holds no object: use model, baseUrl"],
    [{ modle: "x" }, 'has an unknown setting "modle": use model, baseUrl, root'],
    [{ mode: 1 }, /^Invalid mode 1 from .*: use one of ask/],
    [{ model: "" }, /^Invalid model "" from .*: name a model/],
    [{ root: 7 }, /^Invalid root 7 from .*: name an existing directory/],
    [{ limits: 3 }, /^Invalid limits 3 from .*: give an object/],
    [{ limits: { globLimit: 0 } }, 'Invalid limits {"globLimit":0} from'],
    [{ limits: { glob: 1 } }, "Invalid limits"],
  ])("refuses the file %j", async (value, message) => {
    await settings(value);
    await expect(loadConfig({}, { SPILLWAY_HOME: home })).rejects.toThrow(message);
  });
});
