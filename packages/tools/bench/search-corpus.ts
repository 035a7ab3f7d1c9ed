// A tree of files that look like a project's sources, the same on every machine.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Corpus {
  readonly files: number;
  readonly bytes: number;
}

/** A word that is in eleven files of every tree. */
export const RARE_WORD = "quetzalcoatlus";
/** A word that is in none. */
export const MISSING_WORD = "xylophagous_glyptodon";

const YEAR_S = 365 * 24 * 3600;
const START_S = 1_760_000_000;

/** Writes `count` files, 12 KB on average, six to a folder, five folders deep, with ignore files and random modification times. */
export function writeSources(root: string, count: number): Corpus {
  const random = seeded(7);
  const words = vocabulary(random);
  const pick = (): string => words[Math.floor(random() ** 3 * words.length)] ?? "";
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    const group = index % Math.ceil(count / 6);
    const folder = `packages/p${group % 23}/${group % 5 === 0 ? "test" : "src"}/${words[group % 13]}/${words[group % 1009]}`;
    const path = join(
      root,
      folder,
      `${words[index % words.length]}-${index}.${["ts", "ts", "tsx", "js", "md", "json"][index % 6]}`,
    );
    mkdirSync(dirname(path), { recursive: true });
    const lines = Math.floor(20 + random() ** 2 * 560);
    const text = Array.from({ length: lines }, (_, line) => sourceLine(line, pick, random)).join("\n");
    const marked = index % Math.ceil(count / 11) === 3 ? `${text}\n// ${RARE_WORD}\n` : `${text}\n`;
    writeFileSync(path, marked);
    bytes += Buffer.byteLength(marked);
    const seconds = START_S - Math.floor(random() * YEAR_S);
    utimesSync(path, seconds, seconds);
  }
  writeFileSync(join(root, ".gitignore"), "node_modules/\n*.log\n/dist\n!keep.log\n**/generated/**\n");
  return { files: count, bytes };
}

function sourceLine(line: number, pick: () => string, random: () => number): string {
  const indent = "  ".repeat(Math.floor(random() * 4));
  const camel = (): string => pick() + capital(pick());
  if (line < 12) return `import { ${camel()}, ${capital(pick())} } from "../${pick()}/${pick()}.ts";`;
  switch (Math.floor(random() * 8)) {
    case 0:
      return "";
    case 1:
      return `${indent}// ${Array.from({ length: 9 }, pick).join(" ")}`;
    case 2:
      return `${indent}function ${camel()}(${pick()}: ${capital(pick())}, ${pick()} = ${Math.floor(random() * 1000)}): void {`;
    case 3:
      return `${indent}if (${camel()} !== undefined) throw new ${capital(pick())}Error("${pick()} ${pick()}");`;
    case 4:
      return `${indent}}`;
    default:
      return `${indent}const ${camel()} = await ${pick()}.${camel()}(${pick()}, { ${pick()}: "${pick()}" });`;
  }
}

function vocabulary(random: () => number): string[] {
  const parts = "ba co di fu ga hel in jo ka lim mo na or pa qui ra sto ta un ver wi xe yo zan".split(" ");
  const common = ["return", "value", "import", "path", "file", "limit", "string", "result", "error", "truncated"];
  const made = Array.from({ length: 3000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => parts[Math.floor(random() * parts.length)]).join(""),
  );
  return [...common, ...made];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
