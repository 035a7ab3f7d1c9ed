// A session's tools

export type { BashResult } from "./bash.ts";
export type { ToolboxOptions } from "./create-session.ts";
export type { EditResult } from "./edit.ts";
export type { EnvPolicy } from "./env-policy.ts";
// Errors
export { isToolError, TOOL_ERROR_CODES, ToolError, type ToolErrorCode } from "./error.ts";
export type { GlobResult } from "./glob.ts";
export type { GrepResult } from "./grep.ts";
export type { OutcomeError, ToolOutcome, ToolResults } from "./outcome.ts";
export type { ReadResult } from "./read.ts";
// Results
export { type FitOptions, fitOutcome, type RenderOptions, renderForModel } from "./render.ts";
export type { Access } from "./session.ts";
export type { OutputChunk, Risk, ToolDefinition, ToolName } from "./tool.ts";
export { type CallOptions, createToolbox, type Toolbox } from "./toolbox.ts";
// Workers
export type { Workers } from "./worker/jobs.ts";
export { createWorkers, type WorkersOptions } from "./worker/pool.ts";
export type { WriteResult } from "./write.ts";
