import { createToolbox } from "@spillway/tools";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS, FLAGS } from "../../src/cli/arguments.ts";
import { helpFor } from "../../src/cli/help.ts";
import { createTestHost } from "../helpers/host.ts";

test.each(COMMANDS)("the help of %s names each of its flags", (command) => {
  const text = helpFor(command);
  expect(text.startsWith(`spillway ${command}`)).toBe(true);
  for (const flag of Object.keys(FLAGS[command])) expect(text).toMatch(new RegExp(`--${flag}\\b`));
});

test("the help of tool names each tool with each of its arguments", async () => {
  const host = await createTestHost();
  onTestFinished(() => host.remove());
  const toolbox = await createToolbox({ root: host.root, dataDir: host.dataDir });
  onTestFinished(() => toolbox.close());
  const lines = helpFor("tool").split("\n");
  for (const { name, inputJsonSchema } of toolbox.tools) {
    const [line = "", ...more] = lines.filter((one) => one.startsWith(`  ${name} `));
    expect(more).toEqual([]);
    const properties = Object.keys(Object(Reflect.get(inputJsonSchema, "properties")));
    expect(line.match(/[a-z]\w+/g)).toEqual(expect.arrayContaining(properties));
  }
});

test("the overview names every command", () => {
  for (const command of COMMANDS) expect(helpFor(undefined)).toContain(`\n  spillway ${command} `);
});
