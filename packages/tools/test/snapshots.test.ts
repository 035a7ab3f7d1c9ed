import { describe, expect, test } from "vitest";
import { type FileVersion, SnapshotStore } from "../src/snapshots.ts";

/** A version whose tag is `tag`; `more` tells versions of one tag apart. */
function version(tag: string, more = "0", bytes = 10): FileVersion {
  return { hash: more.padStart(12, "0") + tag.toLowerCase(), bytes };
}

const MIB = 1024 * 1024;

describe("SnapshotStore", () => {
  test("gives the version that was shown last", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 5]]);
    store.record("/a", version("BBBB"), [[1, 2]]);
    expect(store.latest("/a")).toEqual({ ...version("BBBB"), tag: "BBBB", seen: [[1, 2]] });
    store.record("/a", version("AAAA"), []);
    expect(store.latest("/a")?.tag).toBe("AAAA");
    expect(store.versions("/a").map(({ tag }) => tag)).toEqual(["AAAA", "BBBB"]);
    expect(store.latest("/b")).toBeUndefined();
  });

  test("joins the seen lines of the same content", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 2000]], { totalLines: 5000 });
    const joined = store.record("/a", version("AAAA"), [[1800, 3600]]);
    expect(joined.seen).toEqual([[1, 3600]]);
    expect(store.versions("/a")).toHaveLength(1);
  });

  test("knows a file all of whose lines were shown as shown whole", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 3]], { totalLines: 5 });
    expect(store.record("/a", version("AAAA"), [[4, 5]]).seen).toBe("all");
    expect(store.record("/empty", version("BBBB"), [], { totalLines: 0 }).seen).toBe("all");
  });

  test("never mixes up nothing seen and unknown", () => {
    const store = new SnapshotStore();
    expect(store.record("/a", version("AAAA"), []).seen).toEqual([]);
    expect(store.record("/b", version("AAAA"), undefined).seen).toBeUndefined();
    // What is known wins: an unknown set would permit more.
    expect(store.record("/b", version("AAAA"), [[1, 1]]).seen).toEqual([[1, 1]]);
    expect(store.record("/b", version("AAAA"), undefined).seen).toEqual([[1, 1]]);
  });

  test("keeps versions apart that have the same tag", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA", "1"), [[1, 1]]);
    store.record("/a", version("AAAA", "2"), [[2, 2]]);
    store.record("/a", version("AAAA", "1", 11), [[3, 3]]);
    expect(store.byTag("/a", "AAAA").map(({ seen }) => seen)).toEqual([[[3, 3]], [[2, 2]], [[1, 1]]]);
    expect(store.byTag("/a", "BBBB")).toEqual([]);
  });

  test("keeps four versions of a path, those that only Grep made go first, the newest never", () => {
    const store = new SnapshotStore();
    store.record("/a", version("1111"), [[1, 1]]);
    store.record("/a", version("2222"), [[1, 1]], { byGrep: true });
    for (const tag of ["3333", "4444"]) store.record("/a", version(tag), [[1, 1]]);
    store.record("/a", version("5555"), [[1, 1]], { byGrep: true });
    expect(store.versions("/a").map(({ tag }) => tag)).toEqual(["5555", "4444", "3333", "1111"]);
    store.record("/a", version("6666"), [[1, 1]]);
    expect(store.versions("/a").map(({ tag }) => tag)).toEqual(["6666", "4444", "3333", "1111"]);
    store.record("/a", version("7777"), [[1, 1]]);
    expect(store.versions("/a").map(({ tag }) => tag)).toEqual(["7777", "6666", "4444", "3333"]);
  });

  test("keeps a version that edits lean on again and again, with its text", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 1]], { text: new Uint8Array(2 * MIB) });
    for (const tag of ["1111", "2222", "3333", "4444", "5555"]) {
      store.touch("/a", [version("AAAA")]);
      store.record("/a", version(tag), "all", { text: new Uint8Array(2 * MIB) });
    }
    expect(store.versions("/a").map(({ tag }) => tag)).toEqual(["5555", "AAAA", "4444", "3333"]);
    expect(store.byTag("/a", "AAAA")[0]?.text).toBeDefined();
    store.touch("/a", [version("0000")]);
    store.touch("/nowhere", [version("AAAA")]);
    expect(store.latest("/nowhere")).toBeUndefined();
  });

  test("keeps 4 096 paths; the least recently used goes, those that only Grep made before others", () => {
    const store = new SnapshotStore();
    store.record("/read", version("AAAA"), [[1, 1]]);
    store.record("/grep", version("AAAA"), [[1, 1]], { byGrep: true });
    for (let path = 0; path < 4094; path++) store.record(`/${path}`, version("BBBB"), [[1, 1]]);
    expect(store.pathsWithTag("AAAA")).toEqual(["/read", "/grep"]);
    store.record("/one more", version("BBBB"), [[1, 1]], { byGrep: true });
    expect(store.pathsWithTag("AAAA")).toEqual(["/read"]);
    store.record("/0", version("BBBB"), [[1, 1]]);
    store.record("/and another", version("BBBB"), [[1, 1]]);
    store.record("/and one more", version("BBBB"), [[1, 1]]);
    expect(store.pathsWithTag("AAAA")).toEqual([]);
    expect(store.latest("/0")).toBeDefined();
    expect(store.pathsWithTag("BBBB")).toHaveLength(4096);
  });

  test("keeps the text of a file up to 2 MiB and forgets the oldest texts over 8 MiB, never the record", () => {
    const store = new SnapshotStore();
    store.record("/large", version("AAAA"), "all", { text: new Uint8Array(2 * MIB + 1) });
    expect(store.latest("/large")).not.toHaveProperty("text");
    for (let path = 0; path < 5; path++)
      store.record(`/${path}`, version("BBBB"), "all", { text: new Uint8Array(2 * MIB) });
    expect(store.latest("/0")).toMatchObject({ seen: "all" });
    expect(store.latest("/0")).not.toHaveProperty("text");
    expect(store.latest("/4")?.text?.length).toBe(2 * MIB);
    expect([...store.withText()]).toHaveLength(4);
  });

  test("keeps a text of its own, not the buffer that a view looks at", () => {
    const store = new SnapshotStore();
    const buffer = Buffer.from("before--after");
    store.record("/a", version("AAAA"), "all", { text: buffer.subarray(0, 6) });
    buffer.fill("x");
    expect(Buffer.from(store.latest("/a")?.text ?? []).toString()).toBe("before");
  });

  test("forgets a path with its texts", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), "all", { text: Buffer.from("a") });
    store.forget("/a");
    expect(store.latest("/a")).toBeUndefined();
    expect([...store.withText()]).toEqual([]);
  });

  test("moves what is known of a path to its new name and drops what was known of that", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 2]], { text: Buffer.from("a"), totalLines: 9 });
    store.record("/b", version("BBBB"), "all", { text: Buffer.from("b") });
    store.rename("/a", "/b");
    expect(store.latest("/a")).toBeUndefined();
    expect(store.versions("/b").map(({ tag }) => tag)).toEqual(["AAAA"]);
    expect(store.latest("/b")).toMatchObject({ seen: [[1, 2]], totalLines: 9, text: new Uint8Array(Buffer.from("a")) });
  });

  test("remembers the encoding that a file was read in", () => {
    const store = new SnapshotStore();
    store.record("/a", version("AAAA"), [[1, 2]], { asked: "shift_jis" });
    expect(store.record("/a", version("AAAA"), [[3, 4]]).asked).toBe("shift_jis");
  });

  test("never forgets a tag that it minted", () => {
    const store = new SnapshotStore();
    expect(store.minted("AAAA")).toBe(false);
    store.record("/a", version("AAAA"), []);
    store.forget("/a");
    expect(store.minted("AAAA")).toBe(true);
    expect(store.minted("AAAB")).toBe(false);
  });
});
