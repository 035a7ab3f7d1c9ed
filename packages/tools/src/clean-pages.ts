import { type CleanedPage, mayBePage } from "./pasted-page.ts";
import { parseHeader } from "./tag.ts";
import type { ToolEnv } from "./tool.ts";
import type { KnownPage } from "./worker/clean-pages.ts";

/** Takes header and line numbers off those texts that are proven to be pages shown by Read; one answer for each text. */
export async function cleanPages(texts: readonly string[], env: ToolEnv): Promise<readonly CleanedPage[]> {
  const candidates = texts.filter(mayBePage);
  if (candidates.length === 0) return texts.map((text) => ({ text, cleaned: false }));
  const { snapshots, workers } = env.session;
  const tags = candidates.flatMap((text) => parseHeader(firstLine(text))?.tag ?? []);
  const minted = new Set(tags.filter((tag) => snapshots.minted(tag)));
  const pages = [...snapshots.withText()].map(
    ({ text, seen, asked }): KnownPage => ({ text, seen, ...(asked !== undefined && { asked }) }),
  );
  const answers = await workers.run("cleanPages", { texts: candidates, pages, minted }, { signal: env.signal });
  const cleaned = new Map(candidates.map((text, index) => [text, answers[index]]));
  return texts.map((text) => cleaned.get(text) ?? { text, cleaned: false });
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end);
}
