import { setTimeout as sleep } from "node:timers/promises";
import { startProviderServers } from "./providers.ts";
import type { Fault } from "./stage.ts";

/** Longer than the first wait of the loop, shorter than all of them. */
const DOWN_MS = 1500;

/** The requests are sent again until the server is back. */
export const modelServerDown: Fault = {
  name: "model server down",
  prepare: async ({ steps }) => {
    const servers = await startProviderServers(steps);
    return {
      modelFor: servers.modelFor,
      warningCodes: ["MODEL_RETRY"],
      inject: async (retried) => {
        await Promise.all(servers.proxies.map((proxy) => proxy.down()));
        await Promise.all([retried(), sleep(DOWN_MS)]);
        await Promise.all(servers.proxies.map((proxy) => proxy.up()));
      },
      duringFault: async () => servers.problems(),
      heal: async () => undefined,
      dispose: () => servers.close(),
      fact: () => `down for ${DOWN_MS} ms at least`,
      needsRetry: true,
    };
  },
};

/** One answer of so many breaks in its middle. */
export function streamsCut(oneOf: number): Fault {
  return {
    name: `${Math.round(1000 / oneOf) / 10} % of the streams cut`,
    prepare: async ({ steps }) => {
      let answers = 0;
      let cuts = 0;
      const servers = await startProviderServers(steps, () => {
        answers += 1;
        const isCut = answers % oneOf === 0;
        if (isCut) cuts += 1;
        return isCut;
      });
      return {
        modelFor: servers.modelFor,
        warningCodes: ["MODEL_RETRY"],
        inject: async () => undefined,
        duringFault: async () => servers.problems(),
        heal: async () => undefined,
        dispose: () => servers.close(),
        fact: () => `${cuts} of ${answers} cut`,
        needsRetry: true,
      };
    },
  };
}
