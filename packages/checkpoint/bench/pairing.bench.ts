// What does it cost that every request passes through repairPairing?
import { modelMessageSchema } from "ai";
import { checkPairing, type ModelMessage, repairPairing } from "../src/index.ts";
import { session } from "./corpus.ts";
import { measure, table } from "./rounds.ts";

export async function benchPairing(quick: boolean): Promise<string> {
  const sound = session(quick ? 1000 : 10_000);
  const broken = sound.filter((_, at) => at % 7 !== 2);
  const timings = await measure(
    [
      { name: "`repairPairing`, nothing to repair", run: () => repairPairing(sound).length },
      { name: "`repairPairing`, every second batch broken", run: () => repairPairing(broken).length },
      { name: "`checkPairing`", run: () => checkPairing(sound).length },
      { name: "the AI SDK's schema (`modelMessageSchema`)", run: () => sound.map(parsed).length },
      { name: "`structuredClone`", run: () => structuredClone(sound).length },
    ],
    quick ? 2 : 9,
  );
  return table(`${sound.length} messages`, timings);
}

function parsed(message: ModelMessage): unknown {
  return modelMessageSchema.parse(message);
}
