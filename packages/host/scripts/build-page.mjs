// Makes src/report/page-assets.ts from src/report/page: the script with the chart library in it, the styles, the licence.
// Run it after a change there, or of src/report/{numbers,what-if}.ts; a test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const folder = fileURLToPath(new URL("../src/report/", import.meta.url));
const chart = dirname(createRequire(import.meta.url).resolve("uplot/package.json"));

/** @returns {Promise<string>} the module's text */
export async function pageAssets() {
  const output = await build({
    configFile: false,
    envFile: false,
    logLevel: "error",
    root: join(folder, "page"),
    publicDir: false,
    build: {
      write: false,
      minify: true,
      sourcemap: false,
      target: "es2022",
      lib: { entry: join(folder, "page/main.ts"), formats: ["iife"], name: "spillwayReport" },
    },
  });
  const [{ output: chunks }] = Array.isArray(output) ? output : [output];
  const script = chunks.find(({ type }) => type === "chunk").code.trim();
  const style = `${readFileSync(join(chart, "dist/uPlot.min.css"), "utf8").trim()}\n${readFileSync(join(folder, "page/style.css"), "utf8").trim()}`;
  const licence = readFileSync(join(chart, "LICENSE"), "utf8").trim();
  const constants = { PAGE_SCRIPT: script, PAGE_STYLE: style, CHART_LICENCE: licence };
  const lines = Object.entries(constants).map(
    ([name, text]) => `export const ${name}: string =\n  ${JSON.stringify(text)};`,
  );
  return `// Made from the files in page/ by scripts/build-page.mjs.\n// biome-ignore-all lint: minified\n// biome-ignore-all format: minified\n${lines.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(folder, "page-assets.ts"), await pageAssets());
}
