import fc from "fast-check";
import { describe, expect, test } from "vitest";
import xxhash from "xxhash-wasm";
import { createHasher, hashBytes, loadHasher } from "../src/hash.ts";
import { countingBuffer } from "../src/worker/kernel/count.ts";

const reference = await xxhash();

describe("hashBytes", () => {
  test.each([
    ["", "ef46db3751d8e999"],
    ["a", "d24ec4f1a98c6e5b"],
    ["abc", "44bc2cf5ad770999"],
    ["xxhash", "32dd38952c4bc720"],
  ])("gives the published XXH64 of %j", (text, hash) => {
    expect(hashBytes(Buffer.from(text))).toBe(hash);
  });

  test("keeps leading zeros", () => {
    const hashes = Array.from({ length: 400 }, (_, index) => hashBytes(Buffer.from(String(index))));
    expect(hashes.some((hash) => hash.startsWith("0"))).toBe(true);
    expect(hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash))).toBe(true);
  });

  test("agrees with another implementation for every length around a stripe", () => {
    for (let length = 0; length <= 130; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff);
      expect(hashBytes(bytes)).toBe(reference.create64().update(bytes).digest().toString(16).padStart(16, "0"));
    }
  });

  test("hashes more bytes than the module's memory holds", () => {
    const bytes = new Uint8Array(1_000_003).fill(0x61);
    expect(hashBytes(bytes)).toBe(reference.create64().update(bytes).digest().toString(16).padStart(16, "0"));
  });
});

describe("createHasher", () => {
  test("does not depend on how the bytes are cut into pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 12 }), (pieces) => {
        const hasher = createHasher();
        for (const piece of pieces) hasher.update(piece);
        const whole = Buffer.concat(pieces);
        expect(hasher.digest()).toBe(reference.create64().update(whole).digest().toString(16).padStart(16, "0"));
      }),
      { numRuns: 200 },
    );
  });

  test("keeps two hashes apart that run at the same time", () => {
    const left = createHasher();
    const right = createHasher();
    for (let index = 0; index < 50; index++) {
      left.update(Buffer.from(`left ${index} `));
      right.update(Buffer.from(`right ${index} `));
    }
    const text = (name: string): string => Array.from({ length: 50 }, (_, index) => `${name} ${index} `).join("");
    expect(left.digest()).toBe(hashBytes(Buffer.from(text("left"))));
    expect(right.digest()).toBe(hashBytes(Buffer.from(text("right"))));
  });

  test("hashes bytes in place that lie in the buffer of a scan", () => {
    const { bytes } = countingBuffer();
    bytes.fill(0x7a);
    const inPlace = hashBytes(bytes.subarray(3, 200_000));
    expect(inPlace).toBe(hashBytes(new Uint8Array(199_997).fill(0x7a)));
    expect(bytes.every((byte) => byte === 0x7a)).toBe(true);
  });
});

describe("loadHasher", () => {
  test("gives the same functions", async () => {
    expect((await loadHasher()).hashBytes(Buffer.from("abc"))).toBe("44bc2cf5ad770999");
  });
});
