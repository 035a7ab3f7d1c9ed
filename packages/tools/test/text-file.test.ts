import {
  type BigIntStats,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { isToolError } from "../src/error.ts";
import { openFolder } from "../src/folder.ts";
import { loadHasher } from "../src/hash.ts";
import type { Located } from "../src/path.ts";
import { type Landed, type Replacement, replaceFile } from "../src/text-file.ts";
import { shareWorkers } from "../src/worker/pool.ts";
import { claimPath } from "../src/write-claim.ts";
import { killWriter, type WriterKind } from "./helpers/killed-writer.ts";

const pool = shareWorkers();
afterAll(() => pool.close());
const { hashBytes } = await loadHasher();

let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-text-file-")));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function replace(name: string, produce: Replacement["produce"], options: Partial<Replacement> = {}): Landed {
  const absolute = join(folder, name);
  const before: BigIntStats | undefined = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  const located: Located = { absolute, path: name, root: "workspace", kind: before === undefined ? "missing" : "file" };
  const claim = claimPath(absolute);
  if (!("release" in claim)) throw new Error("The path is taken");
  try {
    return replaceFile({ located, before, claim, produce, throwIfCancelled: () => undefined, ...options });
  } finally {
    claim.release();
  }
}

function code(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isToolError(error)) return error.code;
    throw error;
  }
  throw new Error("Nothing was refused");
}

function content(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

describe("replaceFile", () => {
  test("makes and replaces a file and gives hash and size of what landed", () => {
    const bytes = Buffer.from("one\ntwo\n");
    const landed = replace("sub/a.txt", (sink) => {
      sink(bytes.subarray(0, 3));
      sink(bytes.subarray(3));
    });
    expect(landed).toEqual({ hash: hashBytes(bytes), bytes: 8, asWritten: true });
    replace("sub/a.txt", (sink) => sink(Buffer.from("new")));
    expect(content("sub/a.txt")).toBe("new");
    expect(readdirSync(join(folder, "sub"))).toEqual(["a.txt"]);
  });

  test.each<[string, () => void]>([
    ["changed", () => writeFileSync(join(folder, "a.txt"), "theirs")],
    [
      "replaced",
      () => {
        writeFileSync(join(folder, "b.txt"), "theirs");
        renameSync(join(folder, "b.txt"), join(folder, "a.txt"));
      },
    ],
    ["removed", () => rmSync(join(folder, "a.txt"))],
  ])("writes nothing when somebody else %s the file meanwhile", (how, act) => {
    writeFileSync(join(folder, "a.txt"), "old");
    const refusal = code(() =>
      replace("a.txt", (sink) => {
        sink(Buffer.from("ours"));
        act();
      }),
    );
    expect(refusal).toBe("FILE_CHANGED");
    expect(readdirSync(folder)).toEqual(how === "removed" ? [] : ["a.txt"]);
    if (how !== "removed") expect(content("a.txt")).toBe("theirs");
  });

  test("replaces no file that came into being meanwhile", () => {
    const act = (): void => writeFileSync(join(folder, "new.txt"), "theirs");
    expect(code(() => replace("new.txt", act))).toBe("FILE_CHANGED");
    expect(content("new.txt")).toBe("theirs");
    expect(readdirSync(folder)).toEqual(["new.txt"]);
  });

  test.each(["a.txt", "x/y/a.txt"])("leaves nothing behind when it is stopped in the middle: %s", (name) => {
    writeFileSync(join(folder, "a.txt"), "old");
    let asked = 0;
    const throwIfCancelled = (): void => {
      asked += 1;
      if (asked > 1) throw new Error("stopped");
    };
    const produce: Replacement["produce"] = (sink) => {
      sink(Buffer.from("half"));
      sink(Buffer.from("rest"));
    };
    expect(() => replace(name, produce, { throwIfCancelled })).toThrow("stopped");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
    expect(content("a.txt")).toBe("old");
  });

  test("takes the old file's place only when the finished content is accepted", () => {
    writeFileSync(join(folder, "a.txt"), "old");
    const accept = ({ bytes }: { readonly bytes: number }): void => {
      throw new Error(`refused ${bytes} bytes`);
    };
    expect(() => replace("a.txt", (sink) => sink(Buffer.from("ours")), { accept })).toThrow("refused 4 bytes");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
    expect(content("a.txt")).toBe("old");
  });

  test("writes over all names of a file with hard links, also a shorter content", () => {
    writeFileSync(join(folder, "a.txt"), "a long old content");
    linkSync(join(folder, "a.txt"), join(folder, "b.txt"));
    expect(replace("a.txt", (sink) => sink(Buffer.from("new")))).toMatchObject({ inPlace: "hard links", bytes: 3 });
    expect(content("b.txt")).toBe("new");
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt"]);
  });

  // The soak runs every kind some hundred times.
  test.concurrent.each<WriterKind>(["write", "edit hard links", "edit and move"])(
    "leaves the old or the new file whole, and nothing else, when its process is killed: %s",
    async (kind) => {
      await expect(killWriter(kind, Math.random() * 40)).resolves.toBeUndefined();
    },
  );
});

describe("openFolder", () => {
  test("refuses a folder that became a link since its path was looked up", () => {
    mkdirSync(join(folder, "outside"));
    symlinkSync(join(folder, "outside"), join(folder, "sub"));
    expect(["PATH_OUTSIDE_WORKSPACE", "PATH_NOT_FOUND"]).toContain(
      code(() => openFolder(join(folder, "sub"), "sub/a.txt").close()),
    );
  });

  test.runIf(process.platform === "linux")(
    "stays with the folder it opened when that is moved and another takes its name",
    () => {
      mkdirSync(join(folder, "sub"));
      const opened = openFolder(join(folder, "sub"), "sub/a.txt");
      try {
        renameSync(join(folder, "sub"), join(folder, "moved"));
        mkdirSync(join(folder, "sub"));
        writeFileSync(opened.at("a.txt"), "here");
        opened.sync();
      } finally {
        opened.close();
      }
      expect(existsSync(join(folder, "sub", "a.txt"))).toBe(false);
      expect(content("moved/a.txt")).toBe("here");
    },
  );
});
