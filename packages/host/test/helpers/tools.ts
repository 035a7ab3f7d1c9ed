import type { Risk } from "@spillway/tools";
import type { AgentTool } from "../../src/agent-tool.ts";

const SCHEMA = { type: "object", properties: {}, additionalProperties: true };

/** A tool of the embedding program that runs the given function. */
export function testTool(name: string, risk: Risk, execute: AgentTool["execute"]): AgentTool {
  return { name, description: name, risk, inputJsonSchema: SCHEMA, execute };
}

/** Answers with its arguments. */
export const echo: AgentTool = testTool("echo", "low", async (args) => JSON.stringify(args));

/** Ends only when it is aborted. */
export function hangs(name: string, risk: Risk = "low"): AgentTool {
  return testTool(
    name,
    risk,
    (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  );
}
