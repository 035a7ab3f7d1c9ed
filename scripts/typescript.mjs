// Preload for Node before 22.18: lets every thread import TypeScript sources (tsx by itself registers on the main thread only).
import { isMainThread } from "node:worker_threads";

if (!("typescript" in process.features)) {
  const { register } = await import("tsx/esm/api");
  register();
  // Piscina first tries to `require` its entry; of a TypeScript source Node then warns that it is an ES module.
  if (!isMainThread) process.removeAllListeners("warning");
}
