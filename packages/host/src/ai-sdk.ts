// The tools and the checkpoints for a loop of somebody else's: `generateText`, `streamText`, `ToolLoopAgent`.
export { createPrepareStep, type PrepareStep, type PrepareStepOptions } from "./ai-sdk/prepare-step.ts";
export { createTools, type Tools, type ToolsOptions } from "./ai-sdk/tools.ts";
