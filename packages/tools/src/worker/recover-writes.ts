import { recoverWrites } from "../write-claim.ts";

/** Makes whole what processes that died were writing. */
export function recoverWritesJob(_input: undefined): void {
  recoverWrites();
}
