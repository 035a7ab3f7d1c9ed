/** Which variables of the host's environment commands get. */
export interface EnvPolicy {
  /** Names that are handed to commands although they look like secrets; `*` stands for any characters, case does not matter. */
  readonly allow?: readonly string[];
  /** Further names that are withheld, in the same notation. */
  readonly deny?: readonly string[];
  /** Variables set for every command, whatever they are called. */
  readonly set?: Readonly<Record<string, string>>;
}

/**
 * Names of variables that hold credentials, any case (spec 2.5). `TOKENIZERS_PARALLELISM`, `SSH_AUTH_SOCK` and
 * `GOOGLE_APPLICATION_CREDENTIALS` (a path) hold none and match none of them.
 */
export const WITHHELD_PATTERNS: readonly string[] = [
  "*API_KEY*",
  "*APIKEY*",
  "*ACCESS_KEY*",
  "*PRIVATE_KEY*",
  "*ENCRYPTION_KEY*",
  "TOKEN",
  "*_TOKEN",
  "*AUTHTOKEN*",
  "*SECRET*",
  "*PASSWORD*",
  "*PASSWD*",
  "*PASSPHRASE*",
  "MYSQL_PWD",
  "*_PAT",
  "*_CREDENTIALS_JSON",
];

/** Names of the variables in `env` that commands do not get, sorted. */
export function withheldVariables(env: NodeJS.ProcessEnv, policy: EnvPolicy): string[] {
  const withheld = matcher([...WITHHELD_PATTERNS, ...(policy.deny ?? [])]);
  const allowed = matcher(policy.allow ?? []);
  return Object.keys(env)
    .filter((name) => withheld(name) && !allowed(name))
    .sort();
}

/** The host's variables without the withheld ones, plus those of `set`. */
export function exposedVariables(env: NodeJS.ProcessEnv, policy: EnvPolicy): Record<string, string> {
  const withheld = new Set(withheldVariables(env, policy));
  const exposed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !withheld.has(name)) exposed[name] = value;
  }
  return { ...exposed, ...policy.set };
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "is"));
  return (name) => expressions.some((expression) => expression.test(name));
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
}
