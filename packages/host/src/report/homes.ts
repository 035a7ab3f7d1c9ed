// Where each agent keeps its transcripts.
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { dataFolder } from "../data-folder.ts";
import type { AgentName } from "./fact.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function agentHomes(environment: Environment): Readonly<Record<AgentName, string>> {
  const home = environment.HOME || environment.USERPROFILE || homedir();
  const at = (variable: string, ...otherwise: readonly string[]): string => {
    const set = environment[variable];
    return set ? resolve(set) : join(home, ...otherwise);
  };
  return {
    spillway: dataFolder(environment).path,
    "claude-code": at("CLAUDE_CONFIG_DIR", ".claude"),
    codex: at("CODEX_HOME", ".codex"),
    pi: at("PI_CODING_AGENT_DIR", ".pi", "agent"),
    "kimi-code": at("KIMI_CODE_HOME", ".kimi-code"),
    "gemini-cli": at("GEMINI_CLI_HOME", ".gemini"),
  };
}

/** The folder's name below Claude Code's `projects`. */
export function claudeFolder(root: string): string {
  return root.replace(/[^a-zA-Z0-9]/g, "-");
}

/** The folder's name below pi's `sessions`. */
export function piFolder(root: string): string {
  return `--${root.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

/** How the folder's name below kimi-code's `sessions` ends. */
export function kimiSuffix(root: string): string {
  return `_${sha256(root.replaceAll("\\", "/").replace(/\/+$/, "")).slice(0, 12)}`;
}

/** The folder's name below gemini-cli's `tmp`, before it had names for folders. */
export function geminiHash(root: string): string {
  return sha256(root);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
