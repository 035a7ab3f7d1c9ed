import { hashKernel, STRIPE_BYTES } from "./worker/kernel/hash.ts";

/** A file's hash while its bytes pass by. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** 16 lower-case hex digits. Ends the hasher. */
  digest(): string;
}

export interface Hashing {
  createHasher(): Hasher;
  /** 16 lower-case hex digits over all bytes. */
  hashBytes(bytes: Uint8Array): string;
}

/** Makes the hash ready in this thread; otherwise the first hasher does. */
export async function loadHasher(): Promise<Hashing> {
  hashKernel();
  return { createHasher, hashBytes };
}

/** XXH64 (seed 0) over a stream of bytes, in pieces of any size. */
export function createHasher(): Hasher {
  const kernel = hashKernel();
  const lanes = kernel.begin();
  // Bytes that do not fill a stripe wait for the next piece.
  const rest = new Uint8Array(STRIPE_BYTES);
  let waiting = 0;
  let total = 0;
  return {
    update: (bytes) => {
      total += bytes.length;
      let from = 0;
      if (waiting > 0) {
        from = Math.min(STRIPE_BYTES - waiting, bytes.length);
        rest.set(bytes.subarray(0, from), waiting);
        waiting += from;
        if (waiting < STRIPE_BYTES) return;
        kernel.takeStripes(lanes, rest);
      }
      const stripes = bytes.subarray(from);
      kernel.takeStripes(lanes, stripes);
      waiting = stripes.length % STRIPE_BYTES;
      rest.set(stripes.subarray(stripes.length - waiting));
    },
    digest: () => kernel.finish(lanes, rest.subarray(0, waiting), total).toString(16).padStart(16, "0"),
  };
}

/** XXH64 (seed 0) over `bytes`. */
export function hashBytes(bytes: Uint8Array): string {
  const hasher = createHasher();
  hasher.update(bytes);
  return hasher.digest();
}
