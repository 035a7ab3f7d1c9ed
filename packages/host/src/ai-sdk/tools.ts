import {
  createToolbox,
  type OutputChunk,
  renderForModel,
  type Toolbox,
  type ToolboxOptions,
  type ToolOutcome,
} from "@spillway/tools";
import { jsonSchema, type ToolSet } from "ai";
import { createPrepareStep, type PrepareStep, type PrepareStepOptions } from "./prepare-step.ts";

export interface ToolsOptions extends ToolboxOptions {
  /** Live output of commands. */
  readonly onOutput?: (chunk: OutputChunk) => void;
}

/** One session's tools over one folder, for a loop of the AI SDK. */
export interface Tools {
  /**
   * Read, Glob, Grep, Bash, Write and Edit. What a tool gives is its `ToolOutcome`; what the model sees is the text of it,
   * a failure as error text. Nobody is asked before a command runs or a file is written: leave out what must not happen,
   * or set the SDK's approvals.
   */
  readonly tools: ToolSet;
  readonly toolbox: Toolbox;
  /** A `prepareStep` that keeps every request valid and below the model's window, for one agent. */
  prepareStep(options: Omit<PrepareStepOptions, "tools">): PrepareStep;
  /** Ends what still runs. `remove` also deletes what was saved. */
  close(options?: { remove?: boolean }): Promise<void>;
}

/** What the SDK tells of a call, as far as it is needed here; the same in ai 6 and 7. */
interface CallInfo {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Outcomes are kept as long as a step may still fit them to a share. */
const KEPT_OUTCOMES = 64;

/** @throws what `createToolbox` throws. */
export async function createTools(options: ToolsOptions): Promise<Tools> {
  const { onOutput, ...toolboxOptions } = options;
  const toolbox = await createToolbox(toolboxOptions);
  const outcomes = new Map<string, ToolOutcome>();

  const keep = (toolCallId: string, outcome: ToolOutcome): void => {
    outcomes.set(toolCallId, outcome);
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= KEPT_OUTCOMES) break;
      outcomes.delete(oldest);
    }
  };

  const run = async (name: string, input: unknown, { toolCallId, abortSignal }: CallInfo): Promise<ToolOutcome> => {
    const outcome = await toolbox.call(name, input, {
      toolCallId,
      ...(abortSignal !== undefined && { signal: abortSignal }),
      ...(onOutput !== undefined && { onOutput }),
    });
    keep(toolCallId, outcome);
    return outcome;
  };
  const tools = toolbox.tools.map(({ name, description, inputJsonSchema }) => [
    name,
    {
      description,
      // Not validated by the SDK: the toolbox takes what it can coerce, and its refusals name the next step.
      inputSchema: jsonSchema(inputJsonSchema),
      execute: (input: unknown, info: CallInfo) => run(name, input, info),
      toModelOutput: ({ output }: { output: ToolOutcome }) => ({
        type: output.ok ? "text" : "error-text",
        value: renderForModel(output),
      }),
    },
  ]);

  return {
    // The SDK's own `tool` is the identity, and its types do not pass `exactOptionalPropertyTypes`.
    tools: Object.fromEntries(tools) as ToolSet,
    toolbox,
    prepareStep: (stepOptions) =>
      createPrepareStep({
        ...stepOptions,
        tools: {
          definitions: toolbox.tools,
          countTokens: (texts) => toolbox.countTokens(texts),
          outcomeOf: (toolCallId) => outcomes.get(toolCallId),
        },
      }),
    close: (closeOptions) => toolbox.close(closeOptions),
  };
}
