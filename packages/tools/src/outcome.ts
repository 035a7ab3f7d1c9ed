import type { BashResult } from "./bash.ts";
import type { EditResult } from "./edit.ts";
import type { GlobResult } from "./glob.ts";
import type { GrepResult } from "./grep.ts";
import type { ReadResult } from "./read.ts";
import type { ToolName } from "./tool.ts";
import type { WriteResult } from "./write.ts";

/** The result shape of each tool. */
export interface ToolResults {
  Read: ReadResult;
  Glob: GlobResult;
  Grep: GrepResult;
  Bash: BashResult;
  Write: WriteResult;
  Edit: EditResult;
}

export interface OutcomeError {
  /** One of `TOOL_ERROR_CODES`. */
  readonly code: string;
  readonly message: string;
  readonly next?: string;
  readonly details?: Record<string, unknown>;
}

type Success<Name extends ToolName> = { readonly ok: true; readonly tool: Name; readonly result: ToolResults[Name] };

/** What one call came to, as data. A command that failed keeps what it had printed in `result`. */
export type ToolOutcome =
  | { [Name in ToolName]: Success<Name> }[ToolName]
  | { readonly ok: false; readonly tool: ToolName; readonly error: OutcomeError; readonly result?: BashResult };
