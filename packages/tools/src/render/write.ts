import type { Rendering } from "../tool.ts";
import type { WriteResult } from "../write.ts";

/** Nothing of it can shrink. */
export const writeRendering: Rendering<WriteResult> = { text, size: () => 0, take: (result) => result };

function text({ header, created, totalLines, bytes, note, notice }: WriteResult): string {
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  const facts = `${header} ${created ? "created" : "overwritten"}: ${lines}, ${bytes} bytes.`;
  return [facts, notice, note].filter((part) => part !== undefined).join("\n");
}
