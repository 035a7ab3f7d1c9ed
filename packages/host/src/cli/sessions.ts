import { loadConfig } from "../config.ts";
import { HostError } from "../error.ts";
import { findSession, listSessions, removeSession } from "../sessions.ts";
import type { ParsedArguments } from "./arguments.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit-code.ts";
import { formatBytes, oneLine } from "./style.ts";

const DEFAULT_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

export async function sessionsCommand(
  parsed: ParsedArguments,
  { stdout, environment }: CommandContext,
): Promise<number> {
  const { config } = await loadConfig({}, environment);
  const sessions = await listSessions(config.dataDir);
  if (parsed.flags.json === true) {
    for (const session of sessions) await stdout.line(JSON.stringify(session));
    return EXIT.done;
  }
  if (sessions.length === 0) await stdout.line(`No session in "${config.dataDir}"`);
  for (const { id, modified, bytes, root, prompt } of sessions) {
    const when = modified.toISOString().slice(0, 16).replace("T", " ");
    await stdout.line(
      `${id}  ${when}  ${formatBytes(bytes).padStart(8)}  ${root ?? "?"}  ${oneLine(prompt ?? "", 60)}`,
    );
  }
  return EXIT.done;
}

export async function cleanCommand(
  parsed: ParsedArguments,
  { stdout, stderr, environment }: CommandContext,
): Promise<number> {
  const { config } = await loadConfig({}, environment);
  const { words, flags } = parsed;
  const named = await Promise.all(words.map((id) => findSession(config.dataDir, id)));
  const days = flags.all === true ? 0 : ageInDays(flags["older-than"]);
  const limit = Date.now() - days * DAY_MS;
  const old = (await listSessions(config.dataDir)).filter(({ modified }) => modified.getTime() <= limit);
  const chosen = words.length > 0 ? named : old;
  let kept = 0;
  for (const { id } of chosen) {
    if (await removeSession(config.dataDir, id)) await stdout.line(`removed ${id}`);
    else {
      kept += 1;
      await stderr.line(`kept ${id}: another process has it open`);
    }
  }
  if (chosen.length === 0) {
    await stdout.line(
      days === 0 ? "There is no session to remove" : `Nothing to remove that is older than ${days} days`,
    );
  }
  return kept === 0 ? EXIT.done : EXIT.failed;
}

function ageInDays(value: string | boolean | undefined): number {
  if (value === undefined) return DEFAULT_AGE_DAYS;
  const days = Number(value);
  if (Number.isFinite(days) && days >= 0) return days;
  throw new HostError("CONFIG_INVALID", `Invalid --older-than "${value}"`, {
    next: "give a number of days, 0 or more",
  });
}
