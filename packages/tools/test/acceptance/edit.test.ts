import { afterAll, afterEach, describe, expect, test } from "vitest";
import { renderForModel } from "../../src/render.ts";
import { shareWorkers } from "../../src/worker/pool.ts";
import { edit, read, refusedEdit, write } from "../helpers/edit-calls.ts";
import { createWorkspace, type Workspace } from "../helpers/workspace.ts";

const pool = shareWorkers();
afterAll(() => pool.close());

const workspaces: Workspace[] = [];

async function open(files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const workspace = await createWorkspace(files);
  workspaces.push(workspace);
  return workspace;
}

afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

describe("Edit and Write", () => {
  test("4. a line that Read clipped at 16 384 characters is not in the set that Edit accepts", async () => {
    const w = await open({ "a.txt": `first\n${"x".repeat(16_384)}\n${"y".repeat(16_385)}\nlast\n` });
    const { tag, truncated } = await read(w, "a.txt");
    expect(truncated).toBe(true);
    const error = await refusedEdit(w, "a.txt", tag, "PUT 3.=3:\n+short");
    expect(error).toMatchObject({ code: "EDIT_LINES_UNSEEN", details: { lines: "3", countAsShown: false } });
    expect((await refusedEdit(w, "a.txt", tag, "PUT >3:\n+short")).code).toBe("EDIT_LINES_UNSEEN");
    // Walked to its end by column, it was shown.
    await read(w, "a.txt", { offset: 3, limit: 1, column: 16_385 });
    await edit(w, "a.txt", tag, "PUT 2.=3:\n+short");
  });

  test("23. Edit and Write carry the note that nothing needs to be read back", async () => {
    const w = await open();
    const written = await write(w, "a.txt", "one\n");
    const result = await edit(w, "a.txt", written.tag, "PUT 1.=1:\n+two");
    expect(renderForModel({ ok: true, tool: "Write", result: written })).toContain("there is no need to read it back");
    expect(renderForModel({ ok: true, tool: "Edit", result })).toContain("there is no need to read it back");
  });
});
