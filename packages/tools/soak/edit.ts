// Kills writers in the middle of their writes and lets edits race, some hundred times.
import { shareWorkers } from "../src/worker/pool.ts";
import { raceEdits } from "../test/helpers/edit-race.ts";
import { killWriter, WRITER_KINDS } from "../test/helpers/killed-writer.ts";
import { createWorkspace } from "../test/helpers/workspace.ts";

const KILLS = 60;
const RACES = 50;

export async function run(): Promise<void> {
  // Held, so that not every round starts threads of its own.
  const pool = shareWorkers();
  try {
    await race();
    await kill();
  } finally {
    await pool.close();
  }
}

async function race(): Promise<void> {
  const workspace = await createWorkspace();
  try {
    await raceEdits(workspace, RACES);
  } finally {
    await workspace.remove();
  }
  console.log(`${RACES} times ten edits at once: none lost, none refused`);
}

async function kill(): Promise<void> {
  for (const kind of WRITER_KINDS) {
    for (let round = 0; round < KILLS; round++) await killWriter(kind, Math.random() * 60);
    console.log(`${kind}: ${KILLS} kills, every file whole, nothing left behind`);
  }
}
