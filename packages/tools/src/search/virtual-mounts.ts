import { relative } from "node:path";
import { readSmallFile } from "../ignore/git-config.ts";

/** File systems without end or with files that block: kernel interfaces, not somebody's files. */
const VIRTUAL: ReadonlySet<string> = new Set([
  "autofs",
  "binfmt_misc",
  "bpf",
  "cgroup",
  "cgroup2",
  "configfs",
  "debugfs",
  "devpts",
  "devtmpfs",
  "efivarfs",
  "fusectl",
  "mqueue",
  "nsfs",
  "proc",
  "pstore",
  "rpc_pipefs",
  "securityfs",
  "selinuxfs",
  "sysfs",
  "tracefs",
]);

/** Where virtual file systems are mounted below a folder, relative to it; undefined when there are none. */
export function virtualMountsBelow(folder: string): ReadonlySet<string> | undefined {
  if (process.platform !== "linux") return undefined;
  const mounts = new Set<string>();
  const start = folder === "/" ? "/" : `${folder}/`;
  for (const line of (readSmallFile("/proc/self/mountinfo", { follow: false }) ?? "").split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const place = (before.split(" ")[4] ?? "").replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    if (place.startsWith(start) && VIRTUAL.has(after.split(" ")[0] ?? "")) mounts.add(relative(folder, place));
  }
  return mounts.size === 0 ? undefined : mounts;
}
