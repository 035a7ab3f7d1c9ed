import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A full collection; the process needs no flag for it. */
export function createCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("This Node has no collector to call");
  return () => collect();
}
