import { describe, expect, test } from "vitest";
import { formatHeader, isTag, parseHeader, tagOf } from "../src/tag.ts";

describe("tagOf", () => {
  test("is the low 16 bits in upper case", () => {
    expect(tagOf("0123456789abcdef")).toBe("CDEF");
    expect(tagOf("0000000000000000")).toBe("0000");
  });
});

describe("formatHeader", () => {
  test("is one line, whatever the path holds", () => {
    expect(formatHeader("a.ts", "A3F9")).toBe("[a.ts#A3F9]");
    expect(formatHeader("x\n[b.ts#0000]\n1:y", "A3F9")).toBe('["x\\n[b.ts#0000]\\n1:y"#A3F9]');
  });
});

describe("isTag", () => {
  test.each(["0000", "A3F9", "FFFF"])("takes %s", (text) => expect(isTag(text)).toBe(true));
  test.each(["", "a3f9", "A3F", "A3F9A", "A3G9", " A3F9"])("refuses %j", (text) => expect(isTag(text)).toBe(false));
});

describe("parseHeader", () => {
  test("reads what formatHeader wrote, whatever the path holds", () => {
    for (const path of ["a.ts", "a b/c#d].ts", "/abs/ü.txt", "[x#0000]", "a\nb.ts", '"quoted"', '"half', "a\u2028b"]) {
      expect(parseHeader(formatHeader(path, "A3F9"))).toEqual({ path, tag: "A3F9" });
    }
  });

  test("takes a tag in lower case and blanks around the line", () => {
    expect(parseHeader("  [a.ts#a3f9]\t")).toEqual({ path: "a.ts", tag: "A3F9" });
  });

  test.each(["", "[a.ts]", "[a.ts#12345]", "[#A3F9]", "x[a.ts#A3F9]", "[a.ts#A3F9] x", "[a.ts#A3G9]"])(
    "does not take %j for a header",
    (line) => expect(parseHeader(line)).toBeUndefined(),
  );
});
