import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*"],
    globalSetup: ["scripts/build-packages.ts"],
    // Most tests wait for processes and threads of their own; the default leaves a core idle.
    maxWorkers: "100%",
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text", "json-summary"] },
  },
});
