import { readFile, symlink } from "node:fs/promises";
import { edited, read } from "./edit-calls.ts";
import type { Workspace } from "./workspace.ts";

const LINES = Array.from({ length: 120 }, (_, at) => `${at + 1}`);
const CHANGES: ReadonlyMap<number, string> = new Map([
  [40, "forty"],
  [90, "ninety"],
  ...Array.from({ length: 8 }, (_, at) => [at + 1, `L${at + 1}`] as const),
]);

/** Ten edits at once of one file under four spellings, all with the tag of one Read; throws when one fails or is lost. */
export async function raceEdits(w: Workspace, rounds: number): Promise<void> {
  await w.write("race.txt", "");
  await symlink("race.txt", w.path("link.txt"));
  const spellings = ["race.txt", "./race.txt", w.path("race.txt"), "link.txt"];
  const expected = LINES.map((line, at) => `${CHANGES.get(at + 1) ?? line}\n`).join("");
  for (let round = 0; round < rounds; round++) {
    await w.write("race.txt", `${LINES.join("\n")}\n`);
    const { tag } = await read(w, "race.txt");
    const calls = [...CHANGES].map(([line, text], at) =>
      w.call("Edit", { path: spellings[at % spellings.length], tag, ops: `PUT ${line}.=${line}:\n+${text}` }),
    );
    for (const outcome of await Promise.all(calls)) edited(outcome);
    const after = await readFile(w.path("race.txt"), "utf8");
    if (after !== expected) throw new Error(`Round ${round} left ${JSON.stringify(after)}`);
  }
}
