// Before each test file: one seed for all properties, so that a change is never refused for what another seed would have
// found in somebody else's code. `pnpm fuzz` goes through new seeds.
import fc from "fast-check";

const EVERY_DAY_SEED = 20_260_101;

fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? EVERY_DAY_SEED) });
