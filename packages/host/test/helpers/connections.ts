// How the command line is led to a server of each wire format.
import type { ChaosOptions } from "./chaos.ts";
import { anthropic } from "./wire/anthropic.ts";
import { openaiChat } from "./wire/openai-chat.ts";
import { openaiResponses } from "./wire/openai-responses.ts";

type Connection = Pick<ChaosOptions, "format" | "connect">;

export const CONNECTIONS = {
  "Anthropic messages": {
    format: anthropic,
    connect: (url: string) => ({
      args: ["--model", "anthropic/claude-test"],
      env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: url },
    }),
  },
  "OpenAI chat": {
    format: openaiChat,
    connect: (url: string) => ({ args: ["--base-url", url, "--model", "local"], env: {} }),
  },
  "OpenAI responses": {
    format: openaiResponses,
    connect: (url: string) => ({
      args: ["--model", "openai/gpt-test"],
      env: { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: url },
    }),
  },
} satisfies Readonly<Record<string, Connection>>;
