import { defaultServerConditions } from "vite";
import type { UserProjectConfigExport } from "vitest/config";

// Worker threads inherit execArgv: with the condition they load src/*.ts, with the preload any Node can read it.
const typescript = new URL("./scripts/typescript.mjs", import.meta.url).href;

export const shared = {
  ssr: { resolve: { conditions: ["@spillway/source", ...defaultServerConditions] } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    execArgv: ["--conditions=@spillway/source", `--import=${typescript}`],
  },
} satisfies UserProjectConfigExport;
