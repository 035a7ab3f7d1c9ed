import { describe, expect, test } from "vitest";
import { createProgress, progressLine } from "../../src/report/progress.ts";

describe("createProgress", () => {
  function shown(isTerminal: boolean): { written: string[]; run: () => Promise<void> } {
    const written: string[] = [];
    let time = 0;
    const output = { isTerminal, write: async (text: string) => void written.push(text) };
    const progress = createProgress(output, () => {
      time += 60;
      return time;
    });
    return {
      written,
      run: async () => {
        for (let read = 1; read <= 4; read += 1) progress.show(read, 4);
        await progress.clear();
      },
    };
  }

  test("is a line on a terminal, not with every chunk, and goes away", async () => {
    const { written, run } = shown(true);
    await run();
    expect(written.length).toBeLessThan(5);
    expect(written.at(-1)).toBe("\r\u001b[K");
  });

  test("is nothing elsewhere", async () => {
    const { written, run } = shown(false);
    await run();
    expect(written).toEqual([]);
  });

  test("says how far it is", () => {
    expect(progressLine(50, 200)).toBe("[#######.......................] 25 %  50 B of 200 B");
  });
});
