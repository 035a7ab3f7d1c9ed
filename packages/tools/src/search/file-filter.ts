// Which files of a walk are searched, by their names alone. Pure.
import { compileGlob, type GlobPattern } from "../glob-pattern.ts";
import { isSecretName } from "../secrets.ts";
import { BINARY_EXTENSIONS } from "../worker/binary-kinds.ts";

export interface FileFilter {
  /** Whether to look into a folder. @param path relative to the search root. */
  enters(path: string, name: string): boolean;
  /** @param folder path of its folder, empty or with a slash at its end. */
  takes(folder: string, name: string): "yes" | "no" | "secret";
}

export interface FileFilterOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly secrets: "refuse" | "allow";
  /** How the search root itself is called, for the secrets that their folder gives away. */
  readonly root: string;
}

/** @throws ToolError INVALID_PATTERN. */
export function createFileFilter({ include, exclude, secrets, root }: FileFilterOptions): FileFilter {
  const wanted = include.filter((pattern) => !isNegated(pattern)).map((pattern) => compileGlob(pattern));
  const unwanted = [...exclude, ...include.filter(isNegated).map((pattern) => pattern.slice(1))].map((pattern) =>
    compileGlob(pattern),
  );
  const isUnwanted = (path: string, name: string): boolean => unwanted.some((glob) => glob.matches(path, name));
  return {
    enters: (path, name) =>
      !isUnwanted(path, name) && (wanted.length === 0 || wanted.some((glob: GlobPattern) => glob.mayMatchBelow(path))),
    takes: (folder, name) => {
      if (wanted.length > 0 || unwanted.length > 0) {
        const path = folder + name;
        if (wanted.length > 0 && !wanted.some((glob) => glob.matches(path, name))) return "no";
        if (isUnwanted(path, name)) return "no";
      }
      if (secrets === "refuse" && maybeSecret(root, folder, name) && isSecretName(`${root}/${folder}${name}`))
        return "secret";
      return isBinaryName(name) ? "no" : "yes";
    },
  };
}

function isNegated(pattern: string): boolean {
  return pattern.startsWith("!") && pattern[1] !== "(";
}

/** Files whose ending alone says that they hold no text. */
export function isBinaryName(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return dot > 0 && BINARY_EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}

const SECRET_FOLDER = /(?:^|\/)\.(?:aws|azure|config|docker|kube|oci|terraform\.d)(?:\/|$)/i;
const SECRET_NAME = /^[._]|^id_|token|credential|kubeconfig|\.(?:p12|pfx|jks|keystore)(?:$|[.~])/i;

/** A cheap test that holds for every path of which `isSecretName` holds. */
export function maybeSecret(root: string, folder: string, name: string): boolean {
  return SECRET_NAME.test(name) || (folder.includes(".") && SECRET_FOLDER.test(folder)) || SECRET_FOLDER.test(root);
}
