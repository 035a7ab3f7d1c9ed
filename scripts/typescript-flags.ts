/** Flags of a Node that runs TypeScript, the packages from their sources, in threads as well. */
export const TYPESCRIPT_FLAGS: readonly string[] = [
  "--conditions=@spillway/source",
  `--import=${new URL("./typescript.mjs", import.meta.url).href}`,
];
