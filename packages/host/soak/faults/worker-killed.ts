import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./stage.ts";

const KILLS = 20;
const PAUSE_MS = 25;

/** Threads end in the middle of their jobs: each costs the one call that it served. */
export const workerKilled: Fault = {
  name: "worker killed",
  prepare: async ({ threads }) => {
    let kills = 0;
    return {
      callCodes: ["WORKER_CRASHED"],
      inject: async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          const [thread] = threads;
          if (thread !== undefined) {
            await thread.terminate();
            kills += 1;
          }
          await sleep(PAUSE_MS);
        }
      },
      heal: async () => undefined,
      dispose: async () => undefined,
      fact: () => `${kills} threads ended`,
    };
  },
};
