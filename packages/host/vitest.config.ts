import { defineProject } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

export default defineProject({
  ...shared,
  test: {
    ...shared.test,
    globalSetup: ["test/helpers/build-folder.ts"],
    // Most files load the whole host: loading it once a process and not once a file halves the time.
    isolate: false,
  },
});
