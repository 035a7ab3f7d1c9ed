import type { LanguageModel } from "ai";
import { FORMAT_NAMES, PROVIDERS } from "../../test/helpers/wire/failures.ts";
import { startWireServer, type WireServer } from "../../test/helpers/wire/server.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { replyTo, summaryOf } from "./steps.ts";

/** A strict server for each provider package, behind a proxy that can break. */
export interface ProviderServers {
  readonly proxies: readonly CuttingProxy[];
  /** The real provider packages in turn. */
  modelFor(session: number): LanguageModel;
  /** Requests that a real server would have refused. */
  problems(): readonly string[];
  close(): Promise<void>;
}

/** `isCut` is asked for each answer of any of them. */
export async function startProviderServers(steps: number, isCut = (): boolean => false): Promise<ProviderServers> {
  const servers: WireServer[] = [];
  const proxies: CuttingProxy[] = [];
  for (const name of FORMAT_NAMES) {
    const server = await startWireServer(PROVIDERS[name].format, {
      script: (_answers, body) => replyTo(body, steps),
      summary: summaryOf,
    });
    servers.push(server);
    proxies.push(await startCuttingProxy(server.url, isCut));
  }
  return {
    proxies,
    modelFor: (session) => {
      const at = session % FORMAT_NAMES.length;
      const [name, proxy] = [FORMAT_NAMES[at], proxies[at]];
      if (name === undefined || proxy === undefined) throw new Error(`There is no provider ${at}`);
      return PROVIDERS[name].modelAt(proxy.url);
    },
    problems: () => servers.flatMap(({ problems }) => problems),
    close: async () => {
      for (const one of [...proxies, ...servers]) await one.close();
    },
  };
}
