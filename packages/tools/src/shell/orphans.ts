import { endProcesses } from "../kill.ts";
import { createHunt } from "./hunt.ts";
import { hostMark, hostOfMark, MARK_VARIABLE } from "./mark.ts";
import { isRunning, readProcFile } from "./process-id.ts";
import { eachProcess } from "./process-list.ts";

/** For what a dead host left running, after SIGTERM, until SIGKILL. */
const GRACE_MS = 500;

/** Ends what earlier hosts of a session, dead by now, left running. A living host's commands are never touched. */
export async function endOrphans(session: string): Promise<void> {
  const deadHosts = new Set<string>();
  await eachProcess(({ pid }) => {
    const environ = readProcFile(pid, "environ");
    if (environ?.includes(MARK_VARIABLE) !== true) return;
    const host = hostOfMark(environ, session);
    if (host !== undefined && !isRunning(host)) deadHosts.add(hostMark(session, host));
  });
  if (deadHosts.size === 0) return;
  await endProcesses(createHunt({ marks: [...deadHosts], pipes: new Set() }), { graceMs: GRACE_MS });
}
