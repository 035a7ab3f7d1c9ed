// Which files hold secrets: by name alone, or by name and content. Pure.
import { basename } from "node:path";

const EXAMPLE_ENDINGS: ReadonlySet<string> = new Set(["example", "sample", "template", "dist", "test"]);

const SECRET_NAMES: ReadonlySet<string> = new Set([
  ".env",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  "application_default_credentials.json",
  "accesstokens.json",
  "msal_token_cache.json",
  "credentials.tfrc.json",
  "kubeconfig",
]);

const SECRET_ENDINGS = [".p12", ".pfx", ".jks", ".keystore", ".kubeconfig"];

/** Names that say nothing by themselves, with the folders that make them credentials. */
const SECRET_PLACES = [
  ".aws/credentials",
  ".aws/cli/cache/",
  ".aws/sso/cache/",
  ".azure/azureprofile.json",
  ".azure/service_principal_entries.json",
  ".azure/msal_token_cache.bin",
  ".config/gcloud/credentials.db",
  ".config/gcloud/access_tokens.db",
  ".config/gcloud/legacy_credentials/",
  ".config/gh/hosts.yml",
  ".config/hub",
  ".config/doctl/config.yaml",
  ".docker/config.json",
  ".kube/config",
  ".kube/cache/",
  ".oci/config",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
];

/** What a file must hold to be a secret when its name alone does not decide. */
export type SecretContent = "private key" | "registry token";

const CONTENT_MARKS: Readonly<Record<SecretContent, RegExp>> = {
  "private key": /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  // A value that only names an environment variable is no token.
  "registry token": /(?:^|\n)[^\n#;]*(?:_authToken|_auth|_password)[ \t]*=[ \t]*["']?(?!\$\{)[^\s"']/,
};

/** Bytes that two pieces of a stream must share so that no mark is lost between them: the longest line that can hold one. */
export const SECRET_OVERLAP_BYTES = 1024;

/** What editors and people put behind the name of a copy. */
const COPY_ENDING = /(?:~|\.(?:bak|backup|old|orig|save))+$/;

/** True when the name alone says that the file, or the one that it is a copy of, holds secrets. `path` is absolute or relative, resolved. */
export function isSecretName(path: string): boolean {
  const whole = path.replaceAll("\\", "/").toLowerCase().replace(COPY_ENDING, "");
  const name = basename(whole);
  if (SECRET_NAMES.has(name)) return true;
  if (name.startsWith(".env.")) return !EXAMPLE_ENDINGS.has(name.slice(name.lastIndexOf(".") + 1));
  if (SECRET_ENDINGS.some((ending) => name.endsWith(ending))) return true;
  const slashed = `/${whole}`;
  return SECRET_PLACES.some((place) =>
    place.endsWith("/") ? slashed.includes(`/${place}`) : slashed.endsWith(`/${place}`),
  );
}

/** What the file must be searched for by `holdsSecret` before it may be shown; undefined for nearly every file. */
export function secretContent(path: string): SecretContent | undefined {
  const name = basename(path).toLowerCase().replace(COPY_ENDING, "");
  if (name.endsWith(".pem") || name.endsWith(".key")) return "private key";
  return name === ".npmrc" ? "registry token" : undefined;
}

/** Looks for the mark in one piece of a file; pieces of a larger file overlap by `SECRET_OVERLAP_BYTES`. */
export function holdsSecret(content: SecretContent, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  // Without its NUL bytes a mark in UTF-16 reads as it does in ASCII.
  return CONTENT_MARKS[content].test(text.replaceAll("\0", ""));
}
