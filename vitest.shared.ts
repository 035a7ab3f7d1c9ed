import type { UserProjectConfigExport } from "vitest/config";

// Test files see the package's own sources; its threads and the other packages are the built ones, as for users.
export const shared = {
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that is busy elsewhere must not refuse a change; `.ci/run` names each test that needed it.
    retry: process.env.CI === undefined ? 0 : 1,
    setupFiles: [new URL("./scripts/property-seed.ts", import.meta.url).pathname],
    server: { deps: { external: [/\/packages\/[a-z]+\/dist\//] } },
  },
} satisfies UserProjectConfigExport;
