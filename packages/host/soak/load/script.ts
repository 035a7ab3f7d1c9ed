// What the sessions of a load are made to do, request by request.
import type { ScriptedReply } from "../../test/helpers/scripted-model.ts";

export const FILES_IN_WORKSPACE = 24;
const LINES_IN_FILE = 60;
/** Calls of one step of the greedy session: as many as a session may have running and waiting. */
export const GREEDY_CALLS = 60;

/** The text of one small file, 60 lines of about 40 characters. */
export function noteText(file: number): string {
  const lines = Array.from(
    { length: LINES_IN_FILE },
    (_, line) => `line ${line} of note ${file} says ${line % 7 === 0 ? "apple" : "pear"} ${line}`,
  );
  return `${lines.join("\n")}\n`;
}

export function notePath(file: number): string {
  return `notes/note-${file % FILES_IN_WORKSPACE}.txt`;
}

/** A turn of a session that reads, searches, runs commands and writes, in five requests. */
export function busyScript(): () => ScriptedReply {
  let request = 0;
  return () => {
    const turn = Math.floor(request / BUSY_TURN.length);
    const reply = BUSY_TURN[request % BUSY_TURN.length]?.(turn) ?? {};
    request += 1;
    return reply;
  };
}

const BUSY_TURN: readonly ((turn: number) => ScriptedReply)[] = [
  (turn) => ({
    text: "I look around first.",
    calls: [
      { tool: "Read", args: { path: notePath(turn) } },
      { tool: "Grep", args: { pattern: `apple ${(turn % 8) * 7}` } },
      { tool: "Glob", args: { pattern: "**/*.txt" } },
    ],
  }),
  (turn) => ({ calls: [{ tool: "Bash", args: { command: `seq 1 400; grep -c apple ${notePath(turn)}` } }] }),
  (turn) => ({
    calls: [
      { tool: "Write", args: { path: `made/made-${turn % 10}.txt`, content: noteText(turn), overwrite: true } },
      { tool: "Read", args: { path: `made/made-${turn % 10}.txt`, limit: 10 } },
    ],
  }),
  (turn) => ({
    calls: [
      { tool: "Read", args: { path: notePath(turn + 1), offset: 20, limit: 20 } },
      { tool: "Grep", args: { pattern: "note (1|2|3) says", outputMode: "count" } },
    ],
  }),
  () => ({ text: "All of it was looked at, and nothing has changed since the last time that I was asked. ".repeat(3) }),
];

/** One small Read, and nothing else. */
export function probeScript(): () => ScriptedReply {
  let request = 0;
  return () => {
    request += 1;
    if (request % 2 === 0) return { text: "Read." };
    return { calls: [{ tool: "Read", args: { path: notePath(request) } }] };
  };
}

/** As many searches at once as may wait. */
export function greedyScript(): () => ScriptedReply {
  let request = 0;
  return () => {
    request += 1;
    if (request % 2 === 0) return { text: "More." };
    const calls = Array.from({ length: GREEDY_CALLS }, (_, at) =>
      at % 2 === 0
        ? { tool: "Grep", args: { pattern: `apple ${at}` } }
        : { tool: "Read", args: { path: notePath(at) } },
    );
    return { calls };
  };
}
