// The WebAssembly modules of a thread and the one memory they share.

// The part of the global that is used here. Neither `lib: ES2023` nor @types/node 20 declares it as a value, and a
// declaration file beside this one would be missing wherever another package type checks these sources.
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number; maximum: number }) => KernelMemory;
  readonly Instance: new (module: object, imports: { kernel: { memory: KernelMemory } }) => { exports: KernelExports };
};

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
}

type KernelExports = Readonly<Record<string, (...values: (number | bigint)[]) => bigint | undefined>>;

/** Bytes that one call of a kernel may look at; they fit into the second-level cache. */
export const KERNEL_BUFFER_BYTES: number = 256 * 1024;

/** Offsets in the memory. `hash.wat` and `count.wat` know the first two. */
export const COUNTS_AT = 0;
export const LANES_AT = 32;
/** A file's bytes are read straight into the first buffer; the second takes copies of bytes that lie elsewhere. */
export const BUFFER_AT = 64;
export const COPY_AT: number = BUFFER_AT + KERNEL_BUFFER_BYTES + 64;

const PAGES = 9;

let shared: KernelMemory | undefined;

export function kernelMemory(): ArrayBuffer {
  return memory().buffer;
}

/** The functions of a module given in base64; undefined where the machine lacks what it is made of. */
export function instantiate(code: string, into: KernelMemory = memory()): KernelExports | undefined {
  const bytes = Buffer.from(code, "base64");
  if (!WebAssembly.validate(bytes)) return undefined;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { kernel: { memory: into } }).exports;
}

/** A memory of its own, for a module that needs more. */
export function createMemory(pages: number): KernelMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

function memory(): KernelMemory {
  shared ??= createMemory(PAGES);
  return shared;
}
