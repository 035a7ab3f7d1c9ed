import { HASH_WASM } from "./hash-wasm.ts";
import { COPY_AT, instantiate, KERNEL_BUFFER_BYTES, kernelMemory, LANES_AT } from "./instance.ts";

/** XXH64 over bytes as they pass by. One state at a time is in use between two calls, so any number of hashes may run. */
export interface HashKernel {
  /** The lanes of an empty hash. */
  begin(): Uint8Array;
  /** Takes the whole stripes of `bytes` into the lanes; the rest, fewer than `STRIPE_BYTES`, is left to the caller. */
  takeStripes(lanes: Uint8Array, bytes: Uint8Array): void;
  /** The hash of `total` bytes, of which the last, fewer than `STRIPE_BYTES`, are `rest`. */
  finish(lanes: Uint8Array, rest: Uint8Array, total: number): bigint;
}

export const STRIPE_BYTES = 32;

let kernel: HashKernel | undefined;

/** The thread's kernel, made with the first call. */
export function hashKernel(): HashKernel {
  kernel ??= createKernel();
  return kernel;
}

function createKernel(): HashKernel {
  const { begin, stripes, finish } = instantiate(HASH_WASM) ?? {};
  if (begin === undefined || stripes === undefined || finish === undefined) {
    throw new Error("This Node cannot run the hash module: WebAssembly with 64-bit numbers is missing");
  }
  const memory = kernelMemory();
  const current = new Uint8Array(memory, LANES_AT, STRIPE_BYTES);
  const copy = new Uint8Array(memory, COPY_AT, KERNEL_BUFFER_BYTES);
  return {
    begin: () => {
      begin();
      return current.slice();
    },
    takeStripes: (lanes, bytes) => {
      const whole = bytes.length - (bytes.length % STRIPE_BYTES);
      current.set(lanes);
      if (bytes.buffer === memory) stripes(bytes.byteOffset, bytes.byteOffset + whole);
      else {
        for (let at = 0; at < whole; at += copy.length) {
          const piece = bytes.subarray(at, Math.min(whole, at + copy.length));
          copy.set(piece);
          stripes(COPY_AT, COPY_AT + piece.length);
        }
      }
      lanes.set(current);
    },
    finish: (lanes, rest, total) => {
      current.set(lanes);
      copy.set(rest);
      return BigInt.asUintN(64, finish(COPY_AT, COPY_AT + rest.length, BigInt(total)) ?? 0n);
    },
  };
}
