import { describe, expect, test } from "vitest";
import { answer } from "../../src/worker/answer.ts";
import type { Reply } from "../../src/worker/job-context.ts";

async function failWith(error: Error, input: unknown): Promise<Reply> {
  const job = answer(async () => () => {
    throw error;
  });
  return job({ input, cancel: new SharedArrayBuffer(4) });
}

const EIO = { code: "EIO", errno: -5, syscall: "read" };

describe("answer", () => {
  test("names the file when the system fails to read what was opened", async () => {
    const error = Object.assign(new Error("EIO: i/o error, read"), EIO);
    expect(await failWith(error, { request: { path: "logs/a.txt" } })).toMatchObject({
      ok: false,
      error: { code: "TOOL_FAILED", message: '"logs/a.txt" could not be used, the system says EIO' },
    });
  });

  test("leaves alone an error that names a file of its own, and one of a job without a path", async () => {
    const named = Object.assign(new Error("EIO: /usr/lib/x"), EIO, { path: "/usr/lib/x" });
    const plain = Object.assign(new Error("EIO: i/o error, read"), EIO);
    for (const [error, input] of [
      [named, { request: { path: "a.txt" } }],
      [plain, ["a"]],
    ] as const) {
      const reply = await failWith(error, input);
      expect(reply).toMatchObject({ ok: false, error: { message: `Error: ${error.message}` } });
      expect(reply).not.toHaveProperty("error.code");
    }
  });
});
