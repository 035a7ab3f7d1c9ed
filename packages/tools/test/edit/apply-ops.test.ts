import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyOps, applyOpsToText } from "../../src/edit/apply-ops.ts";
import { openBlocks } from "../../src/edit/blocks.ts";
import type { ResolvedSpan } from "../../src/edit/ops.ts";
import { applyModel, fileText, type ModelLine, modelCases, scriptText } from "../helpers/edit-model.ts";

const texts = fc.constantFrom("", "a", "b", "  x", "a\rb", "\u00e9", "\u2028", "tail  ", "\u{1f388}");

function splitLines(text: string): ModelLine[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n|$)/gs)]
    .filter(([whole]) => whole !== "")
    .map(([, line = "", ending = ""]) => ({ text: line, ending }));
}

describe("applyOpsToText", () => {
  test("is the edit by the book, with every other line as it was", () => {
    fc.assert(
      fc.property(modelCases(texts), (given) => {
        const { text } = applyOpsToText(fileText(given.lines), scriptText(given.ops));
        const expected = applyModel(given);
        const lines = splitLines(text);
        expect(lines.map((line) => line.text)).toEqual(expected.texts);
        for (const [index, kept] of expected.kept.entries()) {
          // A last line without an ending gets one when something comes after it.
          if (kept !== undefined && (kept.ending !== "" || index === lines.length - 1))
            expect(lines[index]).toEqual(kept);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("puts an append behind a last line that grew an empty one", () => {
    expect(applyOpsToText("a", "PUT 1.=1:\n+a\n+\nPUT >$:\n+c").text).toBe("a\n\nc");
  });

  test("counts what it did", () => {
    fc.assert(
      fc.property(modelCases(texts), (given) => {
        const applied = applyOpsToText(fileText(given.lines), scriptText(given.ops));
        expect(given.lines.length + applied.added - applied.removed).toBe(splitLines(applied.text).length);
        expect(applied.spans).toHaveLength(given.ops.length);
      }),
      { numRuns: 200 },
    );
  });

  test("is undone by the ops that its spans name", () => {
    fc.assert(
      fc.property(modelCases(texts), (given) => {
        const lines = given.lines.map(({ text }) => ({ text, ending: "\n" }));
        // Two neighbours that vanish become one gap, which one op cannot fill twice.
        const isApart = ({ first, last }: ResolvedSpan, other: ResolvedSpan): boolean =>
          other.first > last + 1 || other.last < first - 1;
        const before = fileText(lines);
        const { text, spans } = applyOpsToText(before, scriptText(given.ops));
        fc.pre(spans.every((span, at) => spans.every((other, index) => index === at || isApart(span, other))));
        const inverse = spans.map(({ first, last, newFirst, newLast }) => {
          const rows = lines.slice(first - 1, last).map((line) => `\n+${line.text}`);
          if (newLast < newFirst)
            return rows.length === 0 ? "" : `${gap(newFirst, splitLines(text).length)}${rows.join("")}`;
          return rows.length === 0 ? `CUT ${newFirst}.=${newLast}` : `PUT ${newFirst}.=${newLast}:${rows.join("")}`;
        });
        expect(applyOpsToText(text, inverse.join("\n")).text).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test("pastes registers that earlier texts filled and gives those it fills", () => {
    const first = applyOpsToText("a\nb\nc\n", "CUT 2.=3 @tail");
    expect(first.text).toBe("a\n");
    expect([...first.captured]).toEqual([["tail", ["b", "c"]]]);
    expect(applyOpsToText("x\n", "PUT <1 @tail", { registers: first.captured }).text).toBe("b\nc\nx\n");
  });

  test("takes the blocks of openBlocks", async () => {
    const text = "# A\na\n\n## B\nb\n\n# C\nc\n";
    const blocks = await openBlocks("x.md", text);
    expect(applyOpsToText(text, "CUT 1*\nPUT >$", { blocks }).text).toBe("\n# C\nc\n# A\na\n\n## B\nb\n");
    expect(() => applyOpsToText(text, "CUT 1*")).toThrow("no blocks were given");
  });

  test("refuses ops that act on files", () => {
    expect(() => applyOpsToText("a\n", "REM")).toThrow("acts on a file");
    expect(() => applyOpsToText("a\n", "MV b")).toThrow("acts on a file");
  });
});

function gap(line: number, total: number): string {
  return line > total ? "PUT >$:" : `PUT <${line}:`;
}

describe("applyOps", () => {
  test("keeps every byte of lines that no op names, whatever the bytes are", () => {
    const bytes = fc
      .uint8Array({ maxLength: 80 })
      .map((raw) => Buffer.concat([Buffer.from(raw), Buffer.from("\nlast\n")]));
    fc.assert(
      fc.property(bytes, fc.nat(), (file, pick) => {
        fc.pre(file[0] !== 0xff && file[0] !== 0xfe && file[0] !== 0xef);
        const lines = splitLines(file.toString("latin1"));
        const number = (pick % lines.length) + 1;
        const line = lines[number - 1];
        const result = Buffer.from(applyOps(file, `PUT ${number}.=${number}:\n+new`).bytes).toString("latin1");
        const expected = lines.with(number - 1, { text: "new", ending: line?.ending ?? "" });
        expect(result).toBe(fileText(expected));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      "UTF-16 with its mark",
      Buffer.from("\ufeffa 世\r\nb\r\n", "utf16le"),
      Buffer.from("\ufeffa 世\r\n試\r\n", "utf16le"),
      "試",
    ],
    [
      "GB18030",
      Buffer.from("\xb2\xe2\xca\xd4\xc4\xda\xc8\xdd\nb\n", "latin1"),
      Buffer.from("\xb2\xe2\xca\xd4\xc4\xda\xc8\xdd\n\xca\xd4\n", "latin1"),
      "试",
    ],
    ["UTF-8 with its mark", Buffer.from("\ufeffa\nb\n"), Buffer.from("\ufeffa\nü\n"), "ü"],
  ])("writes new lines in the file's encoding: %s", (_, file, expected, row) => {
    expect(Buffer.from(applyOps(file, `PUT 2.=2:\n+${row}`).bytes)).toEqual(expected);
  });
});
