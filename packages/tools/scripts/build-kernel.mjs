// Compiles src/worker/kernel/*.wat into *-wasm.ts beside them. Run it after a change of a source; a test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import loadWabt from "wabt";

export const KERNELS = ["count", "hash", "search"];

const folder = new URL("../src/worker/kernel/", import.meta.url);

/** @returns {Promise<string>} the module in base64 */
export async function compileKernel(name) {
  const wabt = await loadWabt();
  const parsed = wabt.parseWat(`${name}.wat`, readFileSync(new URL(`${name}.wat`, folder), "utf8"), { simd: true });
  try {
    return Buffer.from(parsed.toBinary({}).buffer).toString("base64");
  } finally {
    parsed.destroy();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of KERNELS) {
    const lines = ((await compileKernel(name)).match(/.{1,100}/g) ?? []).map((line) => `  "${line}"`).join(" +\n");
    const made = `// Made from ${name}.wat by scripts/build-kernel.mjs.`;
    const text = `${made}\nexport const ${name.toUpperCase()}_WASM: string =\n${lines};\n`;
    writeFileSync(new URL(`${name}-wasm.ts`, folder), text);
  }
}
