import { describe, expect, test } from "vitest";
import { captureLines } from "../../src/edit/capture.ts";
import { indexLines, memorySource } from "../../src/edit/line-index.ts";
import { RegisterStore, rowsFor } from "../../src/edit/registers.ts";
import { UTF8 } from "../../src/encoding/names.ts";

const register = (text: string) => ({ encoding: "utf-8" as const, rows: [Buffer.from(text)] });

describe("RegisterStore", () => {
  test("keeps 16 names; the least recently used goes", () => {
    const store = new RegisterStore();
    for (let name = 0; name < 16; name++) store.set(String(name), register(`${name}`));
    store.get("0");
    store.set("16", register("16"));
    expect(store.get("1")).toBeUndefined();
    expect(store.get("0")?.rows.map(String)).toEqual(["0"]);
    store.set("0", register("again"));
    expect(store.get("0")?.rows.map(String)).toEqual(["again"]);
  });
});

describe("rowsFor", () => {
  test("gives the captured bytes to a file of the same encoding and text to another", () => {
    const captured = { encoding: "gb18030" as const, rows: [Buffer.from("\xb2\xe2", "latin1")] };
    expect(rowsFor(captured, "gb18030")).toBe(captured.rows);
    expect(rowsFor(captured, "utf-8")).toEqual(["测"]);
  });
});

describe("captureLines", () => {
  const index = indexLines(memorySource(Buffer.from(`a\r\n\n${"x".repeat(1024 * 1024)}\n${"y\n".repeat(4097)}`)), UTF8);

  test("takes lines without their endings", () => {
    expect(captureLines(index, 1, 2)?.map((row) => Buffer.from(row).toString())).toEqual(["a", ""]);
  });

  test("takes at most 4 096 lines and 1 MiB", () => {
    expect(captureLines(index, 3, 3)).toBeUndefined();
    expect(captureLines(index, 4, 4100)).toBeUndefined();
    expect(captureLines(index, 4, 4099)).toHaveLength(4096);
  });

  test("takes a copy: the source may reuse its buffer", () => {
    const buffer = Buffer.from("one\ntwo\n");
    const rows = captureLines(indexLines(memorySource(buffer), UTF8), 1, 2);
    buffer.fill("x");
    expect(rows?.map((row) => Buffer.from(row).toString())).toEqual(["one", "two"]);
  });
});
