import { describe, expect, test } from "vitest";
import { type NoticeFacts, readNotice } from "../src/read-notice.ts";
import { resolveWindow } from "../src/window.ts";

const input = { path: "f" };

function noticeOf(change: Partial<NoticeFacts>, index: Partial<NoticeFacts["index"]> = {}): string | undefined {
  const facts: NoticeFacts = {
    input,
    page: {
      content: "",
      window: resolveWindow(input, 3, { readDefaultLines: 2000 }),
      offset: 1,
      lineCount: 3,
      endedBy: null,
      seen: [],
      clipped: [],
      clippedCount: 0,
    },
    index: {
      totalLines: 3,
      encoding: { name: "utf-8", bom: false },
      asked: undefined,
      endings: { lf: 3, crlf: 0, loneCr: 0 },
      undecodable: 0,
      bytes: 30,
      ...index,
    },
    caps: { maxChars: 100_000, maxTokens: 25_000, maxBytes: 131_072, maxLines: 4000 },
    maxLineChars: 16_384,
    changed: undefined,
    settled: true,
    ...change,
  };
  return readNotice(facts, undefined);
}

describe("readNotice", () => {
  test("is none for a whole file with nothing to report", () => {
    expect(noticeOf({})).toBeUndefined();
    expect(
      noticeOf({}, { encoding: { name: "utf-8", bom: true }, endings: { lf: 0, crlf: 3, loneCr: 0 } }),
    ).toBeUndefined();
  });

  test.each<[Partial<NoticeFacts["index"]>, string]>([
    [{ encoding: { name: "utf-16le", bom: true } }, "Encoding utf-16le, with byte order mark."],
    [
      { encoding: { name: "gb18030", bom: false } },
      "Encoding gb18030, detected: if the text looks wrong, name another one with encoding.",
    ],
    [{ encoding: { name: "big5", bom: false }, asked: "big5" }, "Encoding big5, as asked."],
    [{ undecodable: 1 }, "1 place is not valid utf-8 and shown as \ufffd; the bytes stay as they are."],
    [{ undecodable: 7 }, "7 places are not valid utf-8 and shown as \ufffd; the bytes stay as they are."],
    [{ endings: { lf: 2, crlf: 1, loneCr: 0 } }, "Mixed line endings: 1 CRLF, 2 LF."],
    [{ endings: { lf: 3, crlf: 0, loneCr: 1 } }, "1 CR character inside lines, shown as they are."],
    [{ endings: { lf: 0, crlf: 3, loneCr: 2 } }, "2 CR characters inside lines, shown as they are."],
  ])("says of %j: %s", (index, notice) => {
    expect(noticeOf({}, index)).toBe(notice);
  });

  test("tells the two tags of a file that changed", () => {
    expect(noticeOf({ changed: { from: "1A2B", to: "3C4D" } })).toBe(
      "The file changed since it was last read: its tag was 1A2B and is 3C4D, earlier pages are of another version.",
    );
  });

  test("says when the file did not hold still", () => {
    expect(noticeOf({ settled: false })).toBe(
      "The file kept changing while it was read: its lines may be of different moments, Read it again before an Edit.",
    );
  });

  test("gives the call that shows the rest of a clipped line, and counts those beyond the first three", () => {
    const page = {
      content: "",
      window: resolveWindow(input, 3, { readDefaultLines: 2000 }),
      offset: 1,
      lineCount: 3,
      endedBy: null,
      seen: [],
      clipped: [{ line: 2, chars: 20_000 }],
      clippedCount: 3,
    };
    expect(noticeOf({ page })).toBe(
      'Line 2 is clipped: 16384 of its 20000 characters are shown, the rest by Read {"path":"f","offset":2,"limit":1,"column":16385}.\n' +
        "2 more lines are clipped at 16384 characters.",
    );
  });
});
