import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vectorLineFeedCounter } from "../../src/shell/count-line-feeds.ts";
import { KERNEL_BUFFER_BYTES } from "../../src/worker/kernel/instance.ts";

const count = vectorLineFeedCounter();

describe.skipIf(count === undefined)("vectorLineFeedCounter", () => {
  test("counts what a loop counts, in any chunk", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(10, 13, 97, 0x8a), { maxLength: 200 }), (bytes) => {
        expect(count?.(Uint8Array.from(bytes))).toBe(bytes.filter((byte) => byte === 10).length);
      }),
    );
  });

  test("goes on behind its buffer", () => {
    expect(count?.(Buffer.alloc(2 * KERNEL_BUFFER_BYTES + 3, "y\n"))).toBe(KERNEL_BUFFER_BYTES + 1);
  });
});
