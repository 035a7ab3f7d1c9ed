import { describe, expect, test } from "vitest";
import { allFaults, runFault } from "../soak/faults.ts";

const CUT_ONE_OF = 4;

// Many sessions and long runs of the same are `pnpm proof`.
describe("runFault", () => {
  test.for(allFaults(CUT_ONE_OF).map((fault) => ({ name: fault.name, fault })))(
    "$name: clear ends, nothing acknowledged is lost, every session comes to its end",
    { timeout: 120_000 },
    async ({ fault }, { skip }) => {
      const report = await runFault(fault, { sessions: 2, steps: 3, cutOneOf: CUT_ONE_OF });
      if (report.skipped !== undefined) skip(`NOT TESTED: ${report.skipped}`);
      expect(report.problems).toEqual([]);
      expect(report.calls.size).toBeGreaterThan(0);
    },
  );
});
