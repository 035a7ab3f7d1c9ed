import { describe, expect, test } from "vitest";
import { writeRendering } from "../../src/render/write.ts";
import type { WriteResult } from "../../src/write.ts";

const result: WriteResult = {
  path: "a.txt",
  root: "workspace",
  tag: "A3F9",
  header: "[a.txt#A3F9]",
  created: true,
  bytes: 12,
  totalLines: 1,
};

describe("writeRendering", () => {
  test("tells what landed on its first line and the note on its last", () => {
    expect(writeRendering.text(result)).toBe("[a.txt#A3F9] created: 1 line, 12 bytes.");
    expect(
      writeRendering.text({ ...result, created: false, totalLines: 3, notice: "Lines end with CRLF.", note: "Done." }),
    ).toBe("[a.txt#A3F9] overwritten: 3 lines, 12 bytes.\nLines end with CRLF.\nDone.");
    expect(writeRendering.take(result, 0)).toBe(result);
  });
});
