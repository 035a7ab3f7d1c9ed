// The agent
export { type AgentOptions, createAgent } from "./agent.ts";
export type { AgentTool } from "./agent-tool.ts";
// The scripted model
export { type DemoModel, demoModel } from "./demo/model.ts";
// Errors
export { HOST_ERROR_CODES, HostError, type HostErrorCode, isHostError } from "./error.ts";
// Events
export type {
  AgentEvent,
  CallOutcome,
  DoneReason,
  HostOutcome,
  RunError,
  RunResult,
  StepUsage,
} from "./event.ts";
// The tools for MCP clients; more of it in `@spillway/host/mcp`
export { createMcpServer, type McpServerOptions, type McpTools } from "./mcp/server.ts";
export type { Agent, RunOptions } from "./open-agent.ts";
// Permissions
export type {
  PermissionAnswer,
  PermissionHandler,
  PermissionMode,
  PermissionReason,
  PermissionRequest,
} from "./permission.ts";
export type { AgentRun } from "./run.ts";
