// The tools as an MCP server: over standard input and output, over HTTP, or in a server of your own.
export { type HttpOptions, type McpHttpServer, serveMcpHttp } from "./mcp/http.ts";
export { createMcpHttpHandler, type McpHandler, type McpHandlerOptions } from "./mcp/http-handler.ts";
export { MCP_LIMITS } from "./mcp/limits.ts";
export { createMcpServer, type McpServerOptions, type McpTools } from "./mcp/server.ts";
export { type StdioOptions, serveMcpStdio } from "./mcp/stdio.ts";
