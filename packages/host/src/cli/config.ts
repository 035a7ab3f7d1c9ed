import { type Flags, loadConfig } from "../config.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit-code.ts";

/** The flags that are settings, under their settings' names. */
export function settingFlags({ flags }: ParsedArguments): Flags {
  const named = {
    model: flags.model,
    baseUrl: flags["base-url"],
    root: flags.root,
    mode: flags.mode,
    contextWindow: flags["context-window"],
    maxOutputTokens: flags["max-output-tokens"],
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => typeof value === "string"));
}

/** Settings that have no default of their own. */
const OPTIONAL = ["model", "baseUrl", "contextWindow", "maxOutputTokens", "limits"] as const;

export async function configCommand(parsed: ParsedArguments, { stdout, environment }: CommandContext): Promise<number> {
  const { config, entries, file } = await loadConfig(settingFlags(parsed), environment);
  if (parsed.flags.json === true) {
    const sources = Object.fromEntries(entries.map(({ name, source }) => [name, source]));
    await stdout.line(JSON.stringify({ config, sources, file }, undefined, 2));
    return EXIT.done;
  }
  const unset = OPTIONAL.filter((name) => entries.every((entry) => entry.name !== name));
  const width = Math.max(...[...entries.map(({ name }) => name), ...unset].map((name) => name.length));
  for (const { name, value, source } of entries) {
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    await stdout.line(`${name.padEnd(width)}  ${shown}  (${source})`);
  }
  for (const name of unset) await stdout.line(`${name.padEnd(width)}  (not set)`);
  await stdout.line(`\nsettings file: ${file}`);
  return EXIT.done;
}
