import { describe, expect, test } from "vitest";
import type { ResolvedSpan } from "../../src/edit/ops.ts";
import type { EditResult } from "../../src/edit.ts";
import { editRendering } from "../../src/render/edit.ts";

const span = (op: string, first: number, last: number, newFirst: number, newLast: number): ResolvedSpan => ({
  op,
  first,
  last,
  newFirst,
  newLast,
});

const result: EditResult = {
  path: "a.ts",
  root: "workspace",
  tag: "A3F9",
  header: "[a.ts#A3F9]",
  added: 4,
  removed: 6,
  hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }],
  spans: [span("PUT 3.=3:", 3, 3, 3, 6), span("CUT 5*", 5, 9, 8, 7), span("PUT >9*", 12, 11, 8, 8)],
  warnings: ["A warning."],
  note: "The change is applied.",
};

describe("editRendering", () => {
  test("tells header and counts, what each op came to, warnings and the note, and no hunks", () => {
    expect(editRendering.text(result)).toBe(
      [
        "[a.ts#A3F9] +4 -6",
        "PUT 3.=3: -> lines 3-6 now",
        "CUT 5* -> covered lines 5-9, nothing stands there now",
        "PUT >9* -> line 8 now",
        "A warning.",
        "The change is applied.",
      ].join("\n"),
    );
  });

  test("echoes 40 spans and counts the others", () => {
    const spans = Array.from({ length: 45 }, (_, at) => span(`PUT >${at}`, at + 1, at, at + 1, at + 1));
    const lines = editRendering.text({ ...result, spans }).split("\n");
    expect(lines).toHaveLength(44);
    expect(lines[41]).toBe("… and 5 more ops");
  });

  test("has nothing that could shrink", () => {
    expect(editRendering.size(result)).toBe(0);
    expect(editRendering.take(result, 0)).toBe(result);
  });
});
