import { describe, expect, test } from "vitest";
import { runLoad } from "../soak/load.ts";

// The whole of it is `pnpm proof`; how fast it is, is measured there and not here.
describe.skipIf(process.platform !== "linux")("runLoad", () => {
  test("twelve sessions in one process work without an error and leave nothing behind", async () => {
    const lines: string[] = [];
    const report = await runLoad({
      ...{ sessions: 12, durationMs: 2500, thinkMs: [0, 50], sampleEveryMs: 1000, turnsPerSession: 3 },
      log: (line) => lines.push(line),
    });
    expect(report.book.problems).toEqual([]);
    expect(report.book.turns).toBeGreaterThanOrEqual(12);
    expect(report.book.calls).toBeGreaterThan(12);
    expect(report.survivors).toEqual([]);
    expect(report.openFiles).toEqual([]);
    // One descriptor a call would be hundreds; each further thread has a few.
    expect(report.closed.descriptors - report.empty.descriptors).toBeLessThan(60);
    expect(lines.length).toBeGreaterThan(0);
  }, 120_000);
});
