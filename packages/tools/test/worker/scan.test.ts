import { closeSync, fstatSync, openSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBytes, type EncodingName, encodeFile } from "../../src/encoding.ts";
import { hashBytes } from "../../src/hash.ts";
import { scanFile } from "../../src/worker/scan.ts";
import { linesOf, longText, randomText, written } from "../helpers/random-text.ts";
import { PATIENT, withScanned } from "../helpers/scanned-file.ts";

const scanned = (bytes: Uint8Array, asked?: EncodingName) => withScanned(bytes, ({ index }) => index, asked);

function endingsOf(text: string) {
  const crlf = text.split("\r\n").length - 1;
  return { lf: text.split("\n").length - 1 - crlf, crlf, loneCr: text.split("\r").length - 1 - crlf };
}

describe("scanFile", () => {
  test.each([
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb\fc\u2028d\u0085e", 1],
    ["\n\n\n", 3],
  ])("counts the lines of %j", (text, totalLines) => {
    expect(scanned(Buffer.from(text))).toMatchObject({ totalLines, endings: endingsOf(text), undecodable: 0 });
  });

  test.each<[EncodingName, boolean]>([
    ["utf-8", false],
    ["utf-8", true],
    ["utf-16le", true],
    ["utf-16be", true],
    ["gb18030", false],
  ])("tells lines, endings, hash and encoding of any text in %s (mark: %s)", (name, bom) => {
    fc.assert(
      fc.property(randomText, (text) => {
        const bytes = encodeFile(text, { name, bom });
        const asked = name === "gb18030" ? name : undefined;
        const index = scanned(bytes, asked);
        expect(index.totalLines).toBe(linesOf(text).length);
        expect(index.endings).toEqual(endingsOf(text));
        expect(index.hash).toBe(hashBytes(bytes));
        expect(index.bytes).toBe(bytes.length);
        expect(index.undecodable).toBe(0);
        // Text without any character above 7F is UTF-8 in GB18030 as well.
        if (!index.plainUtf8 || bom) expect(index.encoding).toEqual({ name, bom });
      }),
      { numRuns: 40 },
    );
  });

  test("tells them of files longer than its buffer, whatever lies at the borders", () => {
    fc.assert(
      fc.property(longText, fc.constantFrom<EncodingName>("utf-8", "gb18030", "utf-16le"), (unit, name) => {
        const text = written(unit).repeat(4);
        const bytes = encodeFile(text, { name, bom: name === "utf-16le" });
        const index = scanned(bytes, name === "gb18030" ? name : undefined);
        expect(index.totalLines).toBe(linesOf(text).length);
        expect(index.endings).toEqual(endingsOf(text));
        expect(index.hash).toBe(hashBytes(bytes));
        expect(index.undecodable).toBe(0);
      }),
      { numRuns: 12 },
    );
  });

  test.each<EncodingName>(["utf-8", "windows-1252", "shift_jis"])(
    "tells them of any bytes taken for %s, faults and all",
    (name) => {
      const part = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            "plain text\n",
            "漢字",
            "\r\n",
            "\r",
            "\ufffd",
            "x".repeat(9000),
            "y\n".repeat(5000),
          ),
        },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
      );
      fc.assert(
        fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (parts, copies) => {
          const once = Buffer.concat(parts.map((bytes) => Buffer.from(bytes)));
          // The fault makes sure that it is not valid UTF-8, the beginning that it has no byte order mark.
          const bytes = Buffer.concat([
            Buffer.from("a\xff\n", "latin1"),
            ...Array.from({ length: copies }, () => once),
          ]);
          const text = decodeBytes(bytes, { name, bom: false });
          const genuine = name === "utf-8" ? bytes.toString("latin1").split("\xef\xbf\xbd").length - 1 : 0;
          const index = scanned(bytes, name);
          expect(index.encoding.name).toBe(name);
          expect(index.endings).toEqual(endingsOf(text));
          expect(index.totalLines).toBe(linesOf(text).length);
          expect(index.undecodable).toBe(text.split("\ufffd").length - 1 - genuine);
        }),
        { numRuns: 40 },
      );
    },
  );

  test("counts the places that the encoding cannot explain, and not what the source itself says", () => {
    const good = "genuine \ufffd, 汉字 and plain text\n".repeat(20_000);
    const bytes = Buffer.concat([Buffer.from(good), Buffer.of(0xff, 0x0a), Buffer.from(good), Buffer.of(0xe6, 0xb1)]);
    expect(scanned(bytes)).toMatchObject({
      encoding: { name: "utf-8", bom: false },
      plainUtf8: false,
      undecodable: 2,
      totalLines: 40_002,
    });
  });

  test("reads a file of procfs, whose size says 0", () => {
    const fd = openSync("/proc/self/status", "r");
    try {
      const stat = fstatSync(fd, { bigint: true });
      expect(stat.size).toBe(0n);
      const { index, bytes } = scanFile({ fd, stat, asked: undefined, inspect: () => undefined }, PATIENT);
      expect(index.totalLines).toBeGreaterThan(10);
      expect(index.bytes).toBe(bytes?.length);
    } finally {
      closeSync(fd);
    }
  });

  test("looks at the first bytes before it reads on, and stops where its caller gave up", () => {
    const fd = openSync(import.meta.filename, "r");
    try {
      const stat = fstatSync(fd, { bigint: true });
      const refused = new Error("not to be shown");
      const inspect = (): void => {
        throw refused;
      };
      expect(() => scanFile({ fd, stat, asked: undefined, inspect }, PATIENT)).toThrow(refused);
      const throwIfCancelled = (): void => {
        throw new Error("gave up");
      };
      const context = { cancelled: () => true, throwIfCancelled };
      expect(() => scanFile({ fd, stat, asked: undefined, inspect: () => undefined }, context)).toThrow("gave up");
    } finally {
      closeSync(fd);
    }
  });

  test("hands a small file over whole and a larger one not", () => {
    const look = (size: number): number | undefined => {
      const bytes = Buffer.alloc(size, "line\n");
      return withScanned(bytes, ({ source, index }) =>
        index.bytes === size ? source.read(0, size).length : undefined,
      );
    };
    expect(look(1000)).toBe(1000);
    expect(look(600_000)).toBe(600_000);
  });
});
