import { createInterface } from "node:readline/promises";
import type { PermissionAnswer, PermissionHandler } from "../permission.ts";
import { describeRequest } from "./describe-request.ts";
import type { Output } from "./output.ts";
import { oneLine, type Paint } from "./style.ts";

const ANSWERS: Readonly<Record<string, PermissionAnswer>> = {
  y: "once",
  yes: "once",
  s: "session",
  session: "session",
  n: "deny",
  no: "deny",
  "": "deny",
};

/** Asks on the terminal and waits as long as it takes. Whatever is not a clear yes is a no. */
export function terminalPrompt(stderr: Output, paint: Paint): PermissionHandler {
  return async (request, { signal }) => {
    await stderr.line(paint("bold", `? ${describeRequest(request)}`));
    const scope = oneLine(request.scope, 200);
    // Not a terminal in raw mode: Ctrl-C stays a signal.
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    try {
      const answer = await reader.question(`  allow? [y]es once, [s]ession (${scope}), [N]o: `, { signal });
      return ANSWERS[answer.trim().toLowerCase()] ?? "deny";
    } finally {
      reader.close();
      process.stdin.pause();
    }
  };
}
