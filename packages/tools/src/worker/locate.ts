import { type Located, type LocateRequest, locate } from "../path.ts";

/** `locate` for callers on the main thread. */
export function locateJob(request: LocateRequest): Located {
  return locate(request);
}
