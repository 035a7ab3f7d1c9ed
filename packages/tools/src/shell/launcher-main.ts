// The launcher's process: it starts shells, hands their output streams to the host unread, and tells of their ends.
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { LaunchReply, LaunchRequest } from "./launcher-protocol.ts";
import { outputPipes } from "./output-pipes.ts";
import { readProcess } from "./process-id.ts";

// Node begins to read a stream as soon as it is there, and what was read here would be missing there.
Socket.prototype.read = () => null;

process.on("message", (request: LaunchRequest) => launch(request));
// The host is gone. What it left running is the watchdog's business.
process.on("disconnect", () => process.exit());
tell({ t: "ready" });

function launch({ id, program, args, cwd, env }: LaunchRequest): void {
  const failed = (error: unknown): void => {
    const code: unknown = Reflect.get(Object(error), "code");
    const message = error instanceof Error ? error.message : String(error);
    tell({ t: "failed", id, errno: typeof code === "string" ? code : "unknown", message });
  };
  try {
    const child = spawn(program, [...args], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { pid, stdout, stderr } = child;
    child.once("error", failed);
    if (pid === undefined) return;
    const start = readProcess(pid)?.start;
    const pipes = [...outputPipes(pid, [stdout, stderr])];
    tell({ t: "stdout", id, pid, pipes, ...(start !== undefined && { start }) }, stdout);
    tell({ t: "stderr", id }, stderr);
    child.once("exit", (code, signal) => tell({ t: "exit", id, code, signal }));
  } catch (error) {
    failed(error);
  }
}

function tell(reply: LaunchReply, stream?: Readable): void {
  process.send?.(reply, stream instanceof Socket ? stream : undefined);
}
