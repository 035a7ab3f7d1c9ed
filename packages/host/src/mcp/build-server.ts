import { join } from "node:path";
import type { JsonSchemaValidator, jsonSchemaValidator, McpServer } from "@modelcontextprotocol/server";
import { createToolbox } from "@spillway/tools";
import { ownVersion } from "../cli/version.ts";
import { annotationsOf } from "./annotations.ts";
import { callTool } from "./call-tool.ts";
import { CALL_TIMEOUT_S, MCP_LIMITS, mcpLimits } from "./limits.ts";
import { createOutputCopies } from "./output-copies.ts";
import { outputSchema, portableSchema } from "./schema.ts";
import type { McpServerOptions, McpTools } from "./server.ts";
import { createSpillResources, SPILL_URI } from "./spill-resources.ts";

const INSTRUCTIONS =
  "Read, Glob, Grep, Edit and Write work on one folder; Bash runs in it. Results are bounded: what was left out is named, with the call that shows it. A command that needs longer than the longest timeout of Bash: background true, then action wait.";

const HEARTBEAT_MS = 10_000;

/** The toolbox takes what it can coerce, and its refusals name the next step: nothing is refused before it sees it. */
const ACCEPT_ALL: jsonSchemaValidator = {
  getValidator:
    <Value>(): JsonSchemaValidator<Value> =>
    (input) => ({ valid: true, data: input as Value, errorMessage: undefined }),
};

/** What `createMcpServer` does, with everything that it needs loaded. */
export async function buildMcpServer(options: McpServerOptions): Promise<McpTools> {
  const { structured = false, register, heartbeatMs = HEARTBEAT_MS, ...toolboxOptions } = options;
  const limits = mcpLimits(options.limits);
  const [toolbox, sdk, version] = await Promise.all([
    createToolbox({ ...toolboxOptions, limits }),
    // Loaded while the toolbox is made.
    import("@modelcontextprotocol/server"),
    ownVersion(),
  ]);
  const maxChars = limits.resultMaxChars ?? MCP_LIMITS.resultMaxChars;
  const maxTokens = limits.resultMaxTokens ?? MCP_LIMITS.resultMaxTokens;
  const spillFolder = join(toolbox.scratchDir, "tool-output");
  const copies = createOutputCopies(spillFolder);
  const timeoutMs = CALL_TIMEOUT_S * 1000;
  const call = { toolbox, structured, maxChars, maxTokens, copies, heartbeatMs, timeoutMs };
  const spills = createSpillResources(spillFolder);

  const factory = (): McpServer => {
    const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };
    const server = new sdk.McpServer(
      { name: "spillway", title: "Spillway", version },
      { capabilities, instructions: INSTRUCTIONS },
    );
    for (const tool of toolbox.tools) {
      const { name, description } = tool;
      const annotations = annotationsOf(tool);
      server.registerTool(
        name,
        {
          ...(annotations.title !== undefined && { title: annotations.title }),
          description,
          annotations,
          inputSchema: sdk.fromJsonSchema(portableSchema(tool.inputJsonSchema), ACCEPT_ALL),
          ...(structured && { outputSchema: sdk.fromJsonSchema(outputSchema(tool.outputSchema), ACCEPT_ALL) }),
          _meta: { "anthropic/maxResultSizeChars": maxChars },
        },
        (args: unknown, context) => callTool(name, args, context, call),
      );
    }
    server.registerResource(
      "spill",
      new sdk.ResourceTemplate(SPILL_URI, { list: async () => ({ resources: await spills.list() }) }),
      {
        title: "Saved output",
        description: "Output that was too long for its result, in pages; ?offset=BYTES for a later one",
        mimeType: "text/plain",
      },
      async (uri) => {
        const page = await spills.read(uri);
        if (page === undefined) throw new sdk.ResourceNotFoundError(uri.href);
        return page;
      },
    );
    register?.(server);
    return server;
  };

  return {
    toolbox,
    factory,
    close: async (closeOptions) => {
      await copies.close();
      await toolbox.close(closeOptions);
    },
  };
}
