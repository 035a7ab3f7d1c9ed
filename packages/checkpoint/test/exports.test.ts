import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import * as anthropic from "../src/anthropic.ts";
import * as checkpoint from "../src/index.ts";
import * as chat from "../src/openai-chat.ts";
import * as responses from "../src/openai-responses.ts";

describe("@spillway/checkpoint", () => {
  test("exports these names", () => {
    expect(Object.keys(checkpoint).sort()).toEqual([
      "CheckpointError",
      "INTERRUPTED_RESULT",
      "NEW_CONTEXT_TOOL",
      "boundBatch",
      "buildContext",
      "calibrate",
      "calibratedCounter",
      "checkPairing",
      "contextBudget",
      "createCheckpoint",
      "createProgressGuard",
      "dueReminder",
      "entriesOf",
      "estimateContext",
      "isCheckpointError",
      "openJournal",
      "parseOverflow",
      "reminderThresholds",
      "repairPairing",
    ]);
  });

  test.each([
    ["./anthropic", anthropic],
    ["./openai-chat", chat],
    ["./openai-responses", responses],
  ])("exports check and repair from %s", (_, format) => {
    expect(Object.keys(format).sort()).toEqual(["checkPairing", "repairPairing"]);
  });

  test("publishes the same entries as it has", () => {
    const own = Object.entries(manifest.exports).map(([entry, target]) => {
      if (typeof target === "string") return [entry, target];
      const { "@spillway/source": source, ...published } = target;
      expect(source).toMatch(/^\.\/src\/.+\.ts$/);
      return [entry, published];
    });
    expect(Object.fromEntries(own)).toEqual(manifest.publishConfig.exports);
    expect(Object.keys(manifest.exports)).toEqual([
      ".",
      "./anthropic",
      "./openai-chat",
      "./openai-responses",
      "./package.json",
    ]);
  });

  test("needs nothing but the limits and, in its edge files, Node", () => {
    const folder = new URL("../src/", import.meta.url);
    const edge = new Set<string>();
    for (const name of readdirSync(folder)) {
      const source = readFileSync(new URL(name, folder), "utf8");
      for (const [, from = ""] of source.matchAll(/from "([^"]+)"/g)) {
        if (from.startsWith("node:")) edge.add(name);
        else expect(from).toMatch(/^(\.\/.+\.ts|@spillway\/limits)$/);
      }
    }
    expect([...edge].sort()).toEqual([
      "fact.ts",
      "journal.ts",
      "lines.ts",
      "lock.ts",
      "process-identity.ts",
      "recovery.ts",
      "writer.ts",
    ]);
  });
});
