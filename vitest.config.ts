import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*"],
    // Most tests wait for processes and threads of their own; one file a core leaves the cores idle.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text", "json-summary"] },
  },
});
