// What does it cost to bring a batch that is far too large into what the window has left?
import { estimateTokens } from "@spillway/limits";
import { boundBatch, type ModelMessage } from "../src/index.ts";
import { code } from "./corpus.ts";
import { measure, table } from "./rounds.ts";

const RESULTS = 50;
const RESULT_CHARS = 120_000;
const MAX_TOKENS = 80_000;

export async function benchBatch(quick: boolean): Promise<string> {
  const texts = Array.from({ length: RESULTS }, (_, at) => code(RESULT_CHARS, at));
  const batch: ModelMessage = {
    role: "tool",
    content: texts.map((value, at) => ({
      ...{ type: "tool-result", toolCallId: `call_${at}`, toolName: "Read" },
      output: { type: "text", value },
    })),
  };
  const timings = await measure(
    [
      { name: "`boundBatch`", run: () => boundBatch([batch], { maxTokens: MAX_TOKENS }).length },
      {
        name: "counting the texts once (`estimateTokens`)",
        run: () => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
      },
      {
        name: "`slice` to equal parts, no count, no marker",
        run: () =>
          texts.map((text) => text.slice(0, (MAX_TOKENS * 4) / RESULTS)).reduce((sum, { length }) => sum + length, 0),
      },
    ],
    quick ? 2 : 15,
  );
  return table(`${RESULTS} results of ${RESULT_CHARS / 1000} KB to ${MAX_TOKENS / 1000}k tokens`, timings);
}
