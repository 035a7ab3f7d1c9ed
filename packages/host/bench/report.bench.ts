// What does a report on a large transcript cost, beside only parsing its lines?
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadReport } from "../src/report/load.ts";
import { table } from "./rounds.ts";

const LINES_PER_BLOCK = 2_000;

/** With 100 MB of Claude Code's lines; 5 for a smoke run. */
export async function benchReport(quick: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-report-bench-"));
  try {
    const path = join(folder, "session.jsonl");
    await writeTranscript(path, (quick ? 5 : 100) * 1024 * 1024);
    const files = [{ path, context: "main" }];
    let peakBytes = 0;
    const rows = await table(
      `a transcript of ${quick ? 5 : 100} MB`,
      [
        {
          name: "`JSON.parse` of each line, by `node:readline`",
          run: async () => {
            for await (const line of createInterface({ input: createReadStream(path) })) JSON.parse(line);
          },
        },
        {
          name: "`spillway report`, estimated tokens",
          run: async () => {
            await loadReport(
              { agent: "claude-code", id: "bench", files },
              {
                onProgress: () => {
                  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
                },
              },
            );
          },
        },
      ],
      quick ? 1 : 3,
    );
    return `${rows}\n\npeak memory of the process: ${Math.round(peakBytes / 1024 / 1024)} MB`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeTranscript(path: string, bytes: number): Promise<void> {
  const file = await open(path, "w");
  try {
    let written = 0;
    for (let number = 0; written < bytes; ) {
      let block = "";
      for (let line = 0; line < LINES_PER_BLOCK && written + block.length < bytes; line += 2, number += 1) {
        const id = `toolu_${number}`;
        const call = { type: "tool_use", id, name: "Read", input: { file_path: `src/file-${number % 500}.ts` } };
        const usage = { input_tokens: 5, cache_read_input_tokens: 50_000, output_tokens: 80 };
        const result = { type: "tool_result", tool_use_id: id, content: `line of ${number}\n`.repeat(number % 400) };
        block += `${JSON.stringify({ type: "assistant", requestId: id, message: { id, content: [call], usage } })}\n`;
        block += `${JSON.stringify({ type: "user", message: { role: "user", content: [result] } })}\n`;
      }
      await file.write(block);
      written += block.length;
    }
  } finally {
    await file.close();
  }
}
