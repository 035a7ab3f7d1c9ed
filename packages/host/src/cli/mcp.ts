import type { PartialLimits } from "@spillway/limits";
import { loadConfig } from "../config.ts";
import { HostError } from "../error.ts";
import { checkHttpAccess, mcpUrl } from "../mcp/address.ts";
import { clientConfig, type ServerAddress, type ServerCommand } from "../mcp/client-config.ts";
import type { McpServerOptions } from "../mcp/server.ts";
import { workspaceFolder } from "../workspace.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { settingFlags } from "./config.ts";
import { EXIT } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";

const TOKEN_VARIABLE = "SPILLWAY_MCP_TOKEN";

/** A connection has ended and something of it hangs: nobody is there who could wait longer. */
const MAX_CLOSE_MS = 5_000;

const HINT =
  "Waiting for an MCP client on standard input: clients start this command themselves, see --print-config (Ctrl-C leaves)";

interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Serves the tools to an MCP client, or prints how a client is told of them. */
export async function mcpCommand(parsed: ParsedArguments, context: CommandContext): Promise<number> {
  const { stdout, stderr, environment } = context;
  const { flags } = parsed;
  const { config } = await loadConfig(settingFlags(parsed), environment);
  // Over HTTP the first session would be the first to miss it, and a client shows nobody what its server says.
  await workspaceFolder(config.root);
  const listening = typeof flags.http === "string" ? parseListening(flags.http) : undefined;
  const token = environment[TOKEN_VARIABLE] || undefined;
  const structured = flags.structured === true;
  const maxTimeoutS = typeof flags["max-timeout"] === "string" ? parseSeconds(flags["max-timeout"]) : undefined;

  if (typeof flags["print-config"] === "string") {
    const server =
      listening === undefined
        ? startCommand({ root: config.root, structured, maxTimeoutS }, environment)
        : address(listening, token);
    const { place, text } = clientConfig(flags["print-config"], server);
    await stderr.line(`For ${place}:`);
    await stdout.line(text);
    return EXIT.done;
  }

  const onError = (error: Error): void => void stderr.line(`spillway mcp: ${error.message}`);
  const limits: PartialLimits = {
    ...config.limits,
    ...(maxTimeoutS !== undefined && { bashMaxTimeoutS: maxTimeoutS }),
  };
  const options: McpServerOptions = { root: config.root, dataDir: config.dataDir, structured, limits };
  const code = await interruptible(stdout, async (signal) => {
    if (listening === undefined) {
      if (process.stdin.isTTY) await stderr.line(HINT);
      process.stdin.once("close", () => leaveAfter(MAX_CLOSE_MS, EXIT.failed));
      const { serveMcpStdio } = await import("../mcp/stdio.ts");
      await serveMcpStdio({ ...options, signal, onError });
      return EXIT.done;
    }
    const { serveMcpHttp } = await import("../mcp/http.ts");
    const server = await serveMcpHttp({ ...options, ...listening, onError, ...(token !== undefined && { token }) });
    await stderr.line(`Listening on ${server.url}`);
    await aborted(signal);
    await server.close();
    return EXIT.done;
  });
  leaveAfter(MAX_CLOSE_MS, code);
  return code;
}

/** Does not keep the process: it ends what does. */
function leaveAfter(ms: number, code: number): void {
  setTimeout(() => process.exit(code), ms).unref();
}

/** @throws HostError CONFIG_INVALID */
function parseListening(text: string): Listening {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    throw new HostError("CONFIG_INVALID", `Invalid http "${text}" from --http`, {
      next: "give a port (0: any free one), or an address and a port like 0.0.0.0:8080",
      details: { name: "http", value: text },
    });
  }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** @throws HostError CONFIG_INVALID */
function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,9}$/.test(text) && seconds > 0) return seconds;
  throw new HostError("CONFIG_INVALID", `Invalid max-timeout "${text}" from --max-timeout`, {
    next: "give whole seconds, ten less than your client waits for a call",
    details: { name: "max-timeout", value: text },
  });
}

interface ServerFlags {
  readonly root: string;
  readonly structured: boolean;
  readonly maxTimeoutS: number | undefined;
}

/** This very program, so that what was tried is what the client starts. */
function startCommand(
  { root, structured, maxTimeoutS }: ServerFlags,
  environment: CommandContext["environment"],
): ServerCommand {
  const { SPILLWAY_HOME } = environment;
  const file = process.argv[1] ?? "";
  // A copy that npx made for one run may be gone tomorrow.
  const isPassing = file === "" || /[\\/]_npx[\\/]/.test(file);
  const [command, ...start] = isPassing ? ["npx", "-y", "@spillway/host"] : [process.execPath, file];
  return {
    command,
    args: [
      ...[...start, "mcp", "--root", root],
      ...(structured ? ["--structured"] : []),
      ...(maxTimeoutS === undefined ? [] : ["--max-timeout", String(maxTimeoutS)]),
    ],
    env: SPILLWAY_HOME === undefined || SPILLWAY_HOME === "" ? {} : { SPILLWAY_HOME },
  };
}

/** An address to listen on that stands for all of this machine's, and the one of them that a client here can use. */
const CLIENT_HOSTS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** @throws HostError CONFIG_INVALID for what no server would start with. */
function address({ host, port }: Listening, token: string | undefined): ServerAddress {
  checkHttpAccess(host, token);
  if (port === 0) {
    throw new HostError("CONFIG_INVALID", 'Invalid http "0" from --http', {
      next: "give the port that the server will listen on",
      details: { name: "http", value: 0 },
    });
  }
  const url = mcpUrl(CLIENT_HOSTS[host] ?? host, port);
  return { url, ...(token !== undefined && { tokenVariable: TOKEN_VARIABLE }) };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
