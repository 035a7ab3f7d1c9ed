import { NEW_CONTEXT_TOOL } from "@spillway/checkpoint";
import { BUDGET_SEARCH, truncate } from "@spillway/limits";
import type { Toolbox } from "@spillway/tools";
import type { AgentTool } from "./agent-tool.ts";
import type { RunnableTool } from "./calls.ts";
import { NEW_CONTEXT, NEW_CONTEXT_RUNNABLE } from "./new-context.ts";
import type { ToolSchema } from "./toolset.ts";

/** What the model is offered and what runs it, by name. */
export interface ToolPlan {
  readonly schemas: readonly ToolSchema[];
  readonly runnable: ReadonlyMap<string, RunnableTool>;
}

/** The toolbox's tools, the host's own and the embedding program's. @throws TypeError for a name that cannot be used. */
export function agentTools(toolbox: Toolbox, extra: readonly AgentTool[]): ToolPlan {
  const taken = new Set<string>([...toolbox.tools.map(({ name }) => name), NEW_CONTEXT]);
  for (const { name } of extra) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      throw new TypeError(`Invalid tool name "${name}": use 1 to 64 letters, digits, "-" and "_"`);
    }
    if (taken.has(name)) throw new TypeError(`The tool name "${name}" is taken: choose another one`);
    taken.add(name);
  }
  const builtIn = toolbox.tools.map(
    ({ name, riskOf }): RunnableTool => ({
      name,
      riskOf,
      execute: (args, options) => toolbox.call(name, args, options),
    }),
  );
  const runnable = [...builtIn, NEW_CONTEXT_RUNNABLE, ...extra.map(runnableOf)];
  return {
    schemas: [...toolbox.tools, NEW_CONTEXT_TOOL, ...extra],
    runnable: new Map(runnable.map((tool) => [tool.name, tool])),
  };
}

function runnableOf(tool: AgentTool): RunnableTool {
  return {
    name: tool.name,
    riskOf: () => tool.risk,
    execute: async (args, { signal, toolCallId }) => {
      const text = await tool.execute(args, { signal, toolCallId });
      return { ok: true, tool: tool.name, text: truncate(text, BUDGET_SEARCH).text };
    },
  };
}
