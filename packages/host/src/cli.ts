#!/usr/bin/env node
// The command line. Everything a command needs is loaded when it is known which one: --help must cost next to nothing.
import { parseArguments } from "./cli/arguments.ts";
import { EXIT } from "./cli/exit-code.ts";
import { createOutput, type Output } from "./cli/output.ts";

const out = createOutput(process.stdout);
const err = createOutput(process.stderr);
process.exitCode = await main(process.argv.slice(2), out, err);

async function main(argv: readonly string[], stdout: Output, stderr: Output): Promise<number> {
  const outcome = parseArguments(argv);
  const code = await perform(outcome, stdout, stderr);
  return stdout.broken.aborted ? EXIT.brokenPipe : code;
}

async function perform(outcome: ReturnType<typeof parseArguments>, stdout: Output, stderr: Output): Promise<number> {
  switch (outcome.kind) {
    case "help":
      await stdout.write((await import("./cli/help.ts")).helpFor(outcome.command));
      return EXIT.done;
    case "version":
      await stdout.line(await (await import("./cli/version.ts")).ownVersion());
      return EXIT.done;
    case "wrong":
      await stderr.line(`${outcome.message}\nspillway --help lists the commands`);
      return EXIT.usage;
    case "command":
      return (await import("./cli/commands.ts")).runCommand(outcome.parsed, {
        stdout,
        stderr,
        environment: process.env,
      });
  }
}
