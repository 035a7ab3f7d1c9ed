import type { Readable } from "node:stream";
import { descriptorTarget } from "./process-list.ts";

/**
 * What the shell's output descriptors lead to, as `/proc/<pid>/fd` shows it: who else holds these holds the call's output.
 * To be asked in the turn of the spawn, before the shell has had time to change them.
 */
export function outputPipes(pid: number, streams: readonly Readable[]): ReadonlySet<string> {
  const targets = streams.map((stream, index) => descriptorTarget(pid, index + 1) ?? otherEnd(stream));
  return new Set(targets.filter((target) => target !== undefined));
}

/**
 * For a shell that is gone already: Node's pipes are socket pairs, and the kernel numbers the two sockets of a pair one
 * after the other (measured: 798 of 800 pairs on a busy machine).
 */
function otherEnd(stream: Readable): string | undefined {
  const handle: unknown = Reflect.get(stream, "_handle");
  if (typeof handle !== "object" || handle === null) return undefined;
  const descriptor: unknown = Reflect.get(handle, "fd");
  if (typeof descriptor !== "number") return undefined;
  const own = /^socket:\[(\d+)\]$/.exec(descriptorTarget(process.pid, descriptor) ?? "");
  return own === null ? undefined : `socket:[${Number(own[1]) + 1}]`;
}
