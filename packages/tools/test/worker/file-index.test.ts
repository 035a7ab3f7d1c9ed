import { describe, expect, test } from "vitest";
import {
  CHECKPOINT_BYTES,
  createCheckpointWriter,
  type FileIndex,
  lastCheckpoint,
} from "../../src/worker/file-index.ts";

function indexWith(checkpoints: SharedArrayBuffer): FileIndex {
  return {
    identity: "",
    trusted: true,
    asked: undefined,
    encoding: { name: "utf-8", bom: false },
    plainUtf8: true,
    bytes: 0,
    hash: "",
    totalLines: 0,
    endings: { lf: 0, crlf: 0, loneCr: 0 },
    undecodable: 0,
    checkpoints,
  };
}

/** As a scan does: a checkpoint at the first offset from `wanted` on, up to `size`. */
function written(size: number, step: number): SharedArrayBuffer {
  const writer = createCheckpointWriter(3);
  for (let offset = 0; offset < size; offset += step) {
    if (offset >= writer.wanted) writer.add({ offset, lines: offset / 10, chars: offset / 2 });
  }
  return writer.finish();
}

describe("createCheckpointWriter", () => {
  test("begins with the start of the text and keeps its distance", () => {
    const index = indexWith(written(5 * CHECKPOINT_BYTES, 1000));
    const found = [0, 70_000, 140_000, 10_000_000].map((offset) => lastCheckpoint(index, (at) => at.offset <= offset));
    expect(found).toEqual([
      { offset: 3, lines: 0, chars: 0 },
      { offset: 66_000, lines: 6600, chars: 33_000 },
      { offset: 132_000, lines: 13_200, chars: 66_000 },
      { offset: 264_000, lines: 26_400, chars: 132_000 },
    ]);
  });

  test("stays below 192 KB for a file of a terabyte, and its checkpoints stay evenly spread", () => {
    const size = 2 ** 40;
    const shared = written(size, 2 ** 20);
    expect(shared.byteLength).toBeLessThanOrEqual(8192 * 24);
    expect(shared.byteLength).toBeGreaterThan(4000 * 24);
    const index = indexWith(shared);
    for (let offset = 2 ** 30; offset < size; offset += size / 17) {
      const { offset: before } = lastCheckpoint(index, (at) => at.offset <= offset);
      expect(offset - before).toBeLessThan(2 ** 29);
    }
  });

  test("takes nothing before the offset it wants", () => {
    const writer = createCheckpointWriter(0);
    writer.add({ offset: 10, lines: 1, chars: 1 });
    expect(writer.finish().byteLength).toBe(24);
  });
});
