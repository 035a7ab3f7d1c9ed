import { ToolError } from "./error.ts";

export function fileChanged(path: string): ToolError {
  return new ToolError("FILE_CHANGED", `"${path}" was changed by someone else during the call, nothing was written`, {
    next: "Read it again, then repeat the change on what it holds now",
    details: { path },
  });
}
