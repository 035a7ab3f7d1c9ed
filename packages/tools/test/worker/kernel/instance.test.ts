import { describe, expect, test } from "vitest";
import { COUNT_WASM } from "../../../src/worker/kernel/count-wasm.ts";
import { HASH_WASM } from "../../../src/worker/kernel/hash-wasm.ts";
import { instantiate, kernelMemory } from "../../../src/worker/kernel/instance.ts";

const script: { compileKernel(name: string): Promise<string> } = await import(
  new URL("../../../scripts/build-kernel.mjs", import.meta.url).href
);

describe("the compiled modules", () => {
  test.each([
    ["count", COUNT_WASM],
    ["hash", HASH_WASM],
  ])("%s is what its source compiles to", async (name, code) => {
    expect(await script.compileKernel(name)).toBe(code);
  });
});

describe("instantiate", () => {
  test("gives nothing for code that this machine cannot run", () => {
    expect(instantiate(Buffer.from("no module").toString("base64"))).toBeUndefined();
  });

  test("shares one memory of 576 KB", () => {
    expect(kernelMemory()).toBe(kernelMemory());
    expect(kernelMemory().byteLength).toBe(9 * 65_536);
  });
});
