// The names that the conformance suite asks a server for, beside the tools that the server has anyway.
import { fromJsonSchema, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";

/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** No samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export function registerFixtures(server: McpServer): void {
  const inputSchema = fromJsonSchema({ type: "object", properties: {} });
  const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
  server.registerTool("test_simple_text", { description: "A fixture", inputSchema }, () => ({
    content: [{ type: "text", text: "This is a simple text response for testing." }],
  }));
  server.registerTool("test_error_handling", { description: "A fixture", inputSchema }, () => ({
    content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
    isError: true,
  }));
  server.registerTool("test_image_content", { description: "A fixture", inputSchema }, () => ({ content: [image] }));
  server.registerTool("test_audio_content", { description: "A fixture", inputSchema }, () => ({
    content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  }));
  const embedded = (uri: string): { type: "resource"; resource: { uri: string; mimeType: string; text: string } } => ({
    type: "resource",
    resource: { uri, mimeType: "text/plain", text: "This is an embedded resource content." },
  });
  server.registerTool("test_embedded_resource", { description: "A fixture", inputSchema }, () => ({
    content: [embedded("test://embedded-resource")],
  }));
  server.registerTool("test_multiple_content_types", { description: "A fixture", inputSchema }, () => ({
    content: [{ type: "text", text: "Multiple content types test:" }, image, embedded("test://mixed-content-resource")],
  }));
  server.registerTool(
    "test_tool_with_progress",
    { description: "A fixture", inputSchema },
    async (_args, { mcpReq }) => {
      const token = mcpReq._meta?.progressToken;
      for (const progress of token === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: token ?? 0, progress, total: 100 };
        await mcpReq.notify({ method: "notifications/progress", params });
      }
      return { content: [{ type: "text", text: "done" }] };
    },
  );
  server.registerResource("static text", "test://static-text", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static binary", "test://static-binary", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PNG }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) }],
  }));
}
