// Every nasty command twenty times, ended by a timeout and by an abort in turn: no process may be left, ever.
import { createToolbox } from "../src/toolbox.ts";
import { NASTY_COMMANDS } from "../test/helpers/nasty-commands.ts";
import { abortOnceRunning, newTag, processesTagged } from "../test/helpers/processes.ts";
import { createWorkspace } from "../test/helpers/workspace.ts";

const ROUNDS = 20;

/** @throws Error that names the first command of which something survived. */
export async function run(): Promise<void> {
  const workspace = await createWorkspace();
  const box = await createToolbox({ root: workspace.root, dataDir: workspace.dataDir });
  try {
    await box.call("Bash", { command: "true" });
    console.log(
      "| command | ended | slowest abort ms | slowest timeout ms over its second |\n| --- | --- | --- | --- |",
    );
    for (const { name, command } of NASTY_COMMANDS) {
      const slowest = { abort: 0, timeout: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        const by = round % 2 === 0 ? "abort" : "timeout";
        const tag = newTag();
        let begin = performance.now();
        const signal = by === "abort" ? abortOnceRunning(tag) : undefined;
        signal?.addEventListener("abort", () => {
          begin = performance.now();
        });
        const outcome = await box.call(
          "Bash",
          { command, env: { TAG: tag }, timeout: by === "timeout" ? 1 : 60 },
          signal === undefined ? {} : { signal },
        );
        const ms = performance.now() - begin - (by === "abort" ? 0 : 1_000);
        slowest[by] = Math.max(slowest[by], ms);
        const survivors = processesTagged(tag);
        if (survivors.length > 0) throw new Error(`${name}: ${JSON.stringify(survivors)} survived the ${by}`);
        const ended = !outcome.ok && outcome.tool === "Bash" ? outcome.result?.ended : undefined;
        if (ended !== by) throw new Error(`${name}: expected ${by}, got ${JSON.stringify(outcome)}`);
      }
      console.log(`| ${name} | ${ROUNDS} | ${slowest.abort.toFixed(0)} | ${slowest.timeout.toFixed(0)} |`);
    }
  } finally {
    await box.close({ remove: true });
    await workspace.remove();
  }
}
