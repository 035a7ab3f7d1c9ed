// Where every setting comes from, decided once: flags, then the environment, then the user's file, then the default.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type PartialLimits, resolveLimits } from "@spillway/limits";
import { z } from "zod";
import { dataFolder } from "./data-folder.ts";
import { HostError } from "./error.ts";
import { PERMISSION_MODES, type PermissionMode } from "./permission.ts";

/** Settings as they were typed on the command line. */
export interface Flags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly root?: string;
  readonly mode?: string;
  readonly contextWindow?: string;
  readonly maxOutputTokens?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly root: string;
  readonly mode: PermissionMode;
  /** Tokens. */
  readonly contextWindow?: number;
  /** Tokens. */
  readonly maxOutputTokens?: number;
  readonly limits?: PartialLimits;
  readonly dataDir: string;
}

/** A setting's value and where it was found, for `spillway config`. */
export interface ConfigEntry {
  readonly name: keyof Config;
  readonly value: Config[keyof Config];
  readonly source: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly entries: readonly ConfigEntry[];
  /** The user's file, whether it exists or not. */
  readonly file: string;
}

const MODEL = "name a model, like anthropic/NAME, openai/NAME or demo";
const ROOT = "name an existing directory";
const TOKENS = "give a whole number of tokens, 1024 or more";
const tokens = z.coerce.number(TOKENS).int(TOKENS).min(1024, TOKENS);
const limits = z.record(z.string(), z.unknown(), "give an object of limits by name").transform((value, context) => {
  try {
    resolveLimits(value as PartialLimits);
    return value as PartialLimits;
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

const SETTINGS = z.strictObject({
  model: z.string(MODEL).min(1, MODEL).optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: "give a URL that begins with http:// or https://" }).optional(),
  root: z.string(ROOT).min(1, ROOT).optional(),
  mode: z.enum(PERMISSION_MODES, `use one of ${PERMISSION_MODES.join(", ")}`).optional(),
  contextWindow: tokens.optional(),
  maxOutputTokens: tokens.optional(),
  limits: limits.optional(),
});
type SettingName = keyof z.infer<typeof SETTINGS>;

const VARIABLES: Readonly<Partial<Record<SettingName, string>>> = {
  model: "SPILLWAY_MODEL",
  baseUrl: "SPILLWAY_BASE_URL",
  mode: "SPILLWAY_MODE",
  contextWindow: "SPILLWAY_CONTEXT_WINDOW",
  maxOutputTokens: "SPILLWAY_MAX_OUTPUT_TOKENS",
};

/** @throws HostError CONFIG_INVALID that names the setting, its value and where it was found. */
export async function loadConfig(flags: Flags, environment: Environment): Promise<LoadedConfig> {
  const file = configFile(environment);
  const fromFile = await readSettingsFile(file);
  const entries: ConfigEntry[] = [];
  const pick = <Name extends SettingName>(name: Name): z.infer<typeof SETTINGS>[Name] | undefined => {
    const variable = VARIABLES[name];
    const candidates: [unknown, string][] = [
      [name in flags ? Reflect.get(flags, name) : undefined, `--${kebab(name)}`],
      [variable === undefined ? undefined : environment[variable] || undefined, variable ?? ""],
      [fromFile[name], file],
    ];
    const [value, source] = candidates.find(([candidate]) => candidate !== undefined) ?? [undefined, ""];
    if (value === undefined) return undefined;
    const parsed = SETTINGS.shape[name].safeParse(value);
    if (!parsed.success) throw invalid(name, value, source, parsed.error);
    entries.push({ name, value: parsed.data as ConfigEntry["value"], source });
    return parsed.data as z.infer<typeof SETTINGS>[Name];
  };
  const withDefault = <Value extends string>(name: keyof Config, value: Value | undefined, otherwise: Value): Value => {
    if (value === undefined) entries.push({ name, value: otherwise, source: "default" });
    return value ?? otherwise;
  };

  const model = pick("model");
  const baseUrl = pick("baseUrl");
  const root = resolve(withDefault("root", pick("root"), process.cwd()));
  const mode = withDefault<PermissionMode>("mode", pick("mode"), "ask");
  const contextWindow = pick("contextWindow");
  const maxOutputTokens = pick("maxOutputTokens");
  const limitOverrides = pick("limits");
  const { path: dataDir, source: dataSource } = dataFolder(environment);
  entries.push({ name: "dataDir", value: dataDir, source: dataSource });
  const config: Config = {
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    root,
    mode,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(limitOverrides === undefined ? {} : { limits: limitOverrides }),
    dataDir,
  };
  return { config, entries, file };
}

function configFile(environment: Environment): string {
  if (environment.SPILLWAY_HOME) return join(resolve(environment.SPILLWAY_HOME), "config.json");
  const base = environment.XDG_CONFIG_HOME ? resolve(environment.XDG_CONFIG_HOME) : join(homedir(), ".config");
  return join(base, "spillway", "config.json");
}

async function readSettingsFile(file: string): Promise<Partial<Record<SettingName, unknown>>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return {};
    throw new HostError("CONFIG_INVALID", `Cannot read the settings file "${file}" (${String(error)})`, {
      next: "make it readable or remove it",
      cause: error,
    });
  }
  const value = parseJson(text, file);
  const known = Object.keys(SETTINGS.shape);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HostError("CONFIG_INVALID", `The settings file "${file}" holds no object`, {
      next: `use ${known.join(", ")}`,
    });
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new HostError("CONFIG_INVALID", `The settings file "${file}" has an unknown setting "${unknown}"`, {
      next: `use ${known.join(", ")}`,
    });
  }
  return value;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HostError("CONFIG_INVALID", `The settings file "${file}" is not JSON (${String(error)})`, {
      next: "mend it or remove it",
      cause: error,
    });
  }
}

function invalid(name: string, value: unknown, source: string, error: z.ZodError): HostError {
  const reason = error.issues[0]?.message ?? "it cannot be used";
  return new HostError("CONFIG_INVALID", `Invalid ${name} ${JSON.stringify(value)} from ${source}`, {
    next: reason.charAt(0).toLowerCase() + reason.slice(1),
    details: { name, value, source },
  });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
