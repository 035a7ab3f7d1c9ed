import type { PartialLimits } from "@spillway/limits";

type ResultLimit = "resultMaxChars" | "resultMaxTokens" | "errorMaxChars";
type McpLimits = Required<
  Pick<
    PartialLimits,
    "search" | "shell" | "shellErr" | "readMaxChars" | "bashTimeoutS" | "bashMaxTimeoutS" | ResultLimit
  >
>;

/**
 * What an MCP client takes. Clients cut a result themselves above 40 000 characters (gemini-cli), 25 000 tokens or 50 000
 * characters (Claude Code), a failed one above about 11 000 characters, and give a call up after 60 s (both official SDKs).
 */
export const MCP_LIMITS: McpLimits = {
  search: { maxBytes: 40_000 },
  shell: { maxBytes: 32_768 },
  shellErr: { maxBytes: 8_192 },
  readMaxChars: 40_000,
  resultMaxChars: 40_000,
  resultMaxTokens: 10_000,
  errorMaxChars: 10_000,
  bashTimeoutS: 50,
  bashMaxTimeoutS: 50,
};

/** Seconds after which a call other than Bash is stopped. */
export const CALL_TIMEOUT_S = 50;

/** The profile with what the host sets itself. */
export function mcpLimits(overrides: PartialLimits = {}): PartialLimits {
  // A host that sets one of the two times has thought of its clients; the other follows.
  const bashMaxTimeoutS = Math.max(MCP_LIMITS.bashMaxTimeoutS, overrides.bashTimeoutS ?? 0);
  const bashTimeoutS = Math.min(MCP_LIMITS.bashTimeoutS, overrides.bashMaxTimeoutS ?? bashMaxTimeoutS);
  return {
    ...{ ...MCP_LIMITS, bashTimeoutS, bashMaxTimeoutS, ...overrides },
    search: { ...MCP_LIMITS.search, ...overrides.search },
    shell: { ...MCP_LIMITS.shell, ...overrides.shell },
    shellErr: { ...MCP_LIMITS.shellErr, ...overrides.shellErr },
  };
}
