// A command that lasts longer than an MCP client waits: does the client get what it printed, before it gives the call up?
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCli } from "../test/helpers/built-cli.ts";
import { CLIENT_KINDS, connect } from "../test/helpers/mcp.ts";
import { judged, type Row } from "./row.ts";

/** What both official SDKs wait for an answer, unless they are told otherwise. */
const CLIENT_TIMEOUT_S = 60;

export async function runMcp(log: (line: string) => void): Promise<Row[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "spillway-soak-")));
  try {
    const cli = await buildCli(folder);
    return await Promise.all(
      CLIENT_KINDS.map(async (kind): Promise<Row> => {
        log(`mcp: ${kind}`);
        const env = { PATH: process.env.PATH ?? "", HOME: folder, SPILLWAY_HOME: join(folder, "data") };
        const client = await connect(kind, { command: process.execPath, args: [cli, "mcp"], env, cwd: folder });
        try {
          const began = performance.now();
          const { text, isError } = await client.call("Bash", { command: "echo before; sleep 70; echo after" });
          const seconds = (performance.now() - began) / 1000;
          const isKept = isError && text.startsWith("Error TIMEOUT") && text.endsWith("\nbefore");
          const bound = `what it printed, within ${CLIENT_TIMEOUT_S} s`;
          return judged(`a command of 70 s, client of SDK ${kind}`, `${seconds.toFixed(1)} s`, bound, isKept);
        } finally {
          await client.close();
        }
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
