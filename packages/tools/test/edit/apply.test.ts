import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { narrowEdit, type Splice, spliceEdits, writeSpliced } from "../../src/edit/apply.ts";
import { indexLines, memorySource } from "../../src/edit/line-index.ts";
import type { LineEdit, Row } from "../../src/edit/ops.ts";
import { type FileEncoding, UTF8 } from "../../src/encoding/names.ts";

type Change = readonly [first: number, last: number, rows: readonly Row[]];

function apply(file: string, changes: readonly Change[], encoding: FileEncoding = UTF8): string {
  const index = indexLines(memorySource(Buffer.from(file, "latin1")), encoding);
  const edits = changes.map(([first, last, rows], op): LineEdit => ({ first, last, rows, op }));
  return written(Buffer.from(file, "latin1"), spliceEdits(edits, index)).toString("latin1");
}

function written(bytes: Uint8Array, splices: readonly Splice[]): Buffer {
  const pieces: Uint8Array[] = [];
  writeSpliced(memorySource(bytes), splices, (piece) => pieces.push(new Uint8Array(piece)));
  return Buffer.concat(pieces);
}

describe("spliceEdits", () => {
  test.each<[string, string, Change[], string]>([
    ["replaces a line", "a\nb\nc\n", [[2, 2, ["X", "Y"]]], "a\nX\nY\nc\n"],
    ["deletes lines", "a\nb\nc\n", [[1, 2, []]], "c\n"],
    ["leaves an empty file", "a\nb", [[1, 2, []]], ""],
    [
      "inserts before and after",
      "a\nb\n",
      [
        [1, 0, ["x"]],
        [3, 2, ["y"]],
      ],
      "x\na\nb\ny\n",
    ],
    ["writes into an empty file", "", [[1, 0, ["x", "y"]]], "x\ny\n"],
    ["replaced lines keep the ending of theirs", "a\r\nb\nc\r\n", [[1, 3, ["x", "y", "z"]]], "x\r\ny\nz\r\n"],
    ["more lines than there were take the last one's", "a\nb\r\nc\n", [[2, 2, ["x", "y"]]], "a\nx\r\ny\r\nc\n"],
    ["inserted lines take that of the line before", "a\r\nb\n", [[2, 1, ["x"]]], "a\r\nx\r\nb\n"],
    ["or that of the first line", "a\r\nb\n", [[1, 0, ["x"]]], "x\r\na\r\nb\n"],
    ["a last line without ending stays without", "a\nb", [[2, 2, ["x"]]], "a\nx"],
    ["and so does the line appended to it", "a\r\nb", [[3, 2, ["x", "y"]]], "a\r\nb\r\nx\r\ny"],
    ["a single line without ending takes LF", "a", [[2, 1, ["x"]]], "a\nx"],
    ["the line in front of a deleted last one keeps its ending", "a\nb", [[2, 2, []]], "a\n"],
    ["an empty last line needs an ending to be one", "a\nb", [[2, 2, ["x", ""]]], "a\nx\n\n"],
    ["also when it is appended", "a", [[2, 1, [""]]], "a\n\n"],
    [
      "a replaced last line and an append are one",
      "a\nb",
      [
        [2, 2, [""]],
        [3, 2, ["c"]],
      ],
      "a\n\nc",
    ],
    [
      "a moved last line is the last one again",
      "a\nb",
      [
        [1, 1, []],
        [3, 2, ["a"]],
      ],
      "b\na",
    ],
    [
      "a deleted last line and an append are one",
      "a\nb",
      [
        [2, 2, []],
        [3, 2, ["c"]],
      ],
      "a\nc",
    ],
    ["a mark stays in front", "\xef\xbb\xbfa\n", [[1, 0, ["x"]]], "\xef\xbb\xbfx\na\n"],
    ["raw rows stay as they are", "a\n", [[1, 1, [Uint8Array.of(0xe9, 0xff)]]], "\xe9\xff\n"],
  ])("%s", (_, file, changes, expected) => {
    const bom = file.startsWith("\xef\xbb\xbf");
    expect(apply(file, changes, { name: "utf-8", bom })).toBe(expected);
  });

  test("encodes new text as the file is and refuses what the encoding lacks", () => {
    expect(apply("\xb2\xe2\n", [[2, 1, ["试"]]], { name: "gb18030", bom: false })).toBe("\xb2\xe2\n\xca\xd4\n");
    expect(() => apply("a\n", [[1, 1, ["试"]]], { name: "windows-1252", bom: false })).toThrow("windows-1252");
  });
});

describe("narrowEdit", () => {
  const index = indexLines(memorySource(Buffer.from("a\nb\nc\nd\n")), UTF8);
  const narrow = (first: number, last: number, rows: readonly string[]): LineEdit | undefined =>
    narrowEdit({ first, last, rows, op: 0 }, index);

  test.each<[number, number, string[], Partial<LineEdit> | undefined]>([
    [1, 3, ["a", "X", "c"], { first: 2, last: 2, rows: ["X"] }],
    [1, 3, ["a", "b", "c"], undefined],
    [2, 2, ["b", "new"], { first: 3, last: 2, rows: ["new"] }],
    [2, 2, ["new", "b"], { first: 2, last: 1, rows: ["new"] }],
    [2, 3, ["b"], { first: 3, last: 3, rows: [] }],
    [2, 2, ["b", "b"], { first: 3, last: 2, rows: ["b"] }],
    [2, 1, ["b"], { first: 2, last: 1, rows: ["b"] }],
    [2, 1, [], undefined],
    [1, 4, [], { first: 1, last: 4, rows: [] }],
  ])("%s to %s with %j", (first, last, rows, expected) => {
    const narrowed = narrow(first, last, rows);
    if (expected === undefined) expect(narrowed).toBeUndefined();
    else expect(narrowed).toMatchObject(expected);
  });
});

describe("writeSpliced", () => {
  test("passes on what no splice covers, in pieces that stay bounded", () => {
    const size = 700_000;
    const bytes = Buffer.alloc(size, "x");
    const sizes: number[] = [];
    let total = 0;
    writeSpliced(
      memorySource(bytes),
      [{ start: 10, end: 20, pieces: [Buffer.alloc(300_000, "y"), Buffer.from("z")] }],
      (piece) => {
        sizes.push(piece.length);
        total += piece.length;
      },
    );
    expect(total).toBe(size - 10 + 300_001);
    expect(Math.max(...sizes)).toBe(300_000);
    expect(sizes.length).toBeLessThan(10);
  });

  test("is the splicing of a byte array", () => {
    const cut = fc.tuple(fc.nat(400), fc.nat(20), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(cut, { maxLength: 5 }), (bytes, cuts) => {
        const splices: Splice[] = [];
        let at = 0;
        for (const [skip, length, text] of cuts) {
          const start = Math.min(bytes.length, at + (skip % 60));
          const end = Math.min(bytes.length, start + length);
          splices.push({ start, end, pieces: [Buffer.from(text)] });
          at = end;
        }
        const model = [...bytes];
        for (const { start, end, pieces } of splices.toReversed()) {
          model.splice(start, end - start, ...pieces.flatMap((piece) => [...piece]));
        }
        expect([...written(bytes, splices)]).toEqual(model);
      }),
      { numRuns: 200 },
    );
  });
});
