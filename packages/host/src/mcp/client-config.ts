import { HostError } from "../error.ts";

/** How one client is told of a server: where the text goes, and the text. */
export interface ClientConfig {
  readonly place: string;
  readonly text: string;
}

/** A server that the client starts. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A server that runs already. */
export interface ServerAddress {
  readonly url: string;
  /** The variable of the environment that holds the token, where one is asked for. */
  readonly tokenVariable?: string;
}

type Server = ServerCommand | ServerAddress;
type Writer = (server: Server) => ClientConfig;

const CLIENTS: Readonly<Record<string, Writer>> = {
  "claude-code": (server) => ({
    place: ".mcp.json in the project's folder",
    text: json({ mcpServers: { spillway: isAddress(server) ? remote(server, braced, "http") : local(server) } }),
  }),
  "claude-desktop": (server) => ({
    place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    text: json({ mcpServers: { spillway: local(startedBy("claude-desktop", server)) } }),
  }),
  vscode: (server) => ({
    place: ".vscode/mcp.json in the project's folder",
    text: json({
      servers: {
        spillway: isAddress(server) ? remote(server, bracedEnv, "http") : { type: "stdio", ...local(server) },
      },
    }),
  }),
  cursor: (server) => ({
    place: ".cursor/mcp.json in the project's folder, or ~/.cursor/mcp.json",
    text: json({ mcpServers: { spillway: isAddress(server) ? remote(server, bracedEnv) : local(server) } }),
  }),
  codex: (server) => ({
    place: "~/.codex/config.toml",
    text: isAddress(server) ? remoteToml(server) : localToml(server),
  }),
  "gemini-cli": (server) => ({
    place: ".gemini/settings.json in the project's folder, or ~/.gemini/settings.json",
    text: json({ mcpServers: { spillway: isAddress(server) ? geminiRemote(server) : local(server) } }),
  }),
};

export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/** @throws HostError CONFIG_INVALID that names the known clients. */
export function clientConfig(client: string, server: Server): ClientConfig {
  const write = Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
  if (write !== undefined) return write(server);
  throw new HostError("CONFIG_INVALID", `Unknown client "${client}"`, {
    next: `use one of ${CLIENT_NAMES.join(", ")}`,
    details: { name: "print-config", value: client },
  });
}

function isAddress(server: Server): server is ServerAddress {
  return "url" in server;
}

function startedBy(client: string, server: Server): ServerCommand {
  if (!isAddress(server)) return server;
  throw new HostError("CONFIG_INVALID", `The file of "${client}" cannot name a server by its address`, {
    next: "leave out --http, so that the client starts the server itself",
    details: { name: "print-config", value: client },
  });
}

function local({ command, args, env }: ServerCommand): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function braced(name: string): string {
  return `\${${name}}`;
}

function bracedEnv(name: string): string {
  return braced(`env:${name}`);
}

/** @param reference how the client writes a variable of its environment. */
function remote(server: ServerAddress, reference: (name: string) => string, type?: "http"): Record<string, unknown> {
  return { ...(type !== undefined && { type }), url: server.url, ...headers(server, reference) };
}

function geminiRemote(server: ServerAddress): Record<string, unknown> {
  return { httpUrl: server.url, ...headers(server, (name) => `$${name}`) };
}

function headers({ tokenVariable }: ServerAddress, reference: (name: string) => string): Record<string, unknown> {
  if (tokenVariable === undefined) return {};
  return { headers: { Authorization: `Bearer ${reference(tokenVariable)}` } };
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function localToml({ command, args, env }: ServerCommand): string {
  const lines = [
    "[mcp_servers.spillway]",
    `command = ${tomlString(command)}`,
    `args = [${args.map(tomlString).join(", ")}]`,
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${tomlString(value)}`);
  if (variables.length > 0) lines.push("", "[mcp_servers.spillway.env]", ...variables);
  return lines.join("\n");
}

function remoteToml({ url, tokenVariable }: ServerAddress): string {
  const lines = ["[mcp_servers.spillway]", `url = ${tomlString(url)}`];
  if (tokenVariable !== undefined) lines.push(`bearer_token_env_var = ${tomlString(tokenVariable)}`);
  return lines.join("\n");
}

/** A TOML basic string takes JSON's escapes, but for DEL, which has to be written as one. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}
