// Stands between the provider packages and a server, and breaks connections as networks do.
import { connect, createServer, type Server, type Socket } from "node:net";

export interface CuttingProxy {
  readonly url: string;
  /** Breaks every connection and accepts no more. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** `isCut` is asked for each answer whether it breaks in its middle. */
export async function startCuttingProxy(target: string, isCut: () => boolean): Promise<CuttingProxy> {
  const { hostname, port: targetPort, pathname } = new URL(target);
  const sockets = new Set<Socket>();

  const serve = (client: Socket): void => {
    const upstream = connect(Number(targetPort), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
      socket.on("error", () => undefined);
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      if (chunk.subarray(0, 8).toString("latin1") === "HTTP/1.1" && isCut()) {
        client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => client.destroy());
        return;
      }
      if (!client.write(chunk)) {
        upstream.pause();
        client.once("drain", () => upstream.resume());
      }
    });
  };

  let server = await listen(serve, 0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const down = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    down,
    up: async () => {
      server = await listen(serve, port);
    },
    close: async () => {
      if (server.listening) await down();
    },
  };
}

function listen(serve: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(serve);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
