import { describe, expect, test } from "vitest";
import { createTail } from "../../src/shell/tail.ts";

describe("createTail", () => {
  test("shows short output whole", () => {
    const tail = createTail();
    tail.push(Buffer.from("one\n\x1b[31mtwo\x1b[0m\n10%\r20%"));
    expect(tail.show("/log")).toEqual({
      text: "one\ntwo\n20%",
      truncated: false,
      keptBytes: 11,
      keptLines: 3,
      totalBytes: 24,
      totalLines: 3,
    });
  });

  test("shows the last lines and where the rest is, and goes on", () => {
    const tail = createTail();
    for (let line = 1; line <= 150; line++) tail.push(Buffer.from(`${line}\n`));
    const first = tail.show("/log");
    expect(first).toMatchObject({ truncated: true, keptLines: 100, totalLines: 150 });
    expect(first.text).toMatch(
      /^\[truncated: kept the last 100 of 150 lines; limit 100 lines \/ 8KB\. Full output saved to \/log — /,
    );
    tail.push(Buffer.from("151\n"));
    expect(tail.show("/log").text.endsWith("\n150\n151\n")).toBe(true);
  });

  test("holds the end of a flood", () => {
    const tail = createTail();
    for (let round = 0; round < 200; round++) tail.push(Buffer.from("0123456789\n".repeat(1_000)));
    const shown = tail.show("/log");
    expect(shown).toMatchObject({ truncated: true, keptLines: 100, totalLines: 200_000, totalBytes: 2_200_000 });
    expect(shown.text).toContain("Full output saved to /log");
  });

  test("says so when noise is all that a flood held", () => {
    const tail = createTail();
    for (let round = 0; round < 50_000; round++) tail.push(Buffer.from(`\r${round}%`));
    const shown = tail.show();
    expect(shown.truncated).toBe(true);
    expect(shown.text.endsWith("49999%")).toBe(true);
  });
});
