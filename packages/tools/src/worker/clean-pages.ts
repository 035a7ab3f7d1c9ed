// Texts that may be pages shown by Read and given back as content.
import type { EncodingName } from "../encoding.ts";
import { createPageProof } from "../page-proof.ts";
import { type CleanedPage, cleanPastedPage } from "../pasted-page.ts";
import type { SeenLines } from "../snapshots.ts";

/** A version of a file that the session keeps the text of. */
export interface KnownPage {
  readonly text: Uint8Array;
  readonly seen: SeenLines;
  readonly asked?: EncodingName;
}

export interface CleanPagesInput {
  readonly texts: readonly string[];
  readonly pages: readonly KnownPage[];
  /** Those tags in the texts' headers that the session minted. */
  readonly minted: ReadonlySet<string>;
}

/** One answer for each text. */
export function cleanPagesJob({ texts, pages, minted }: CleanPagesInput): readonly CleanedPage[] {
  const proof = createPageProof(pages, minted);
  return texts.map((text) => cleanPastedPage(text, proof));
}
