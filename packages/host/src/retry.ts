/** Attempts of one request after the first. */
export const MAX_RETRIES = 8;
export const FIRST_WAIT_MS = 1000;
export const MAX_WAIT_MS = 60_000;
/** A provider may ask for a longer wait than we would choose; beyond this the run ends and says so. */
export const MAX_ASKED_WAIT_MS: number = 15 * 60_000;

/**
 * Milliseconds before the given retry (1 is the first): what the provider asked for, else doubling with up to a quarter
 * of jitter. `undefined`: give up.
 */
export function retryWait(retry: number, askedMs?: number, random: () => number = Math.random): number | undefined {
  if (retry > MAX_RETRIES) return undefined;
  if (askedMs !== undefined) return askedMs > MAX_ASKED_WAIT_MS ? undefined : Math.max(askedMs, 1);
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  return Math.round(wait * (1 + random() / 4));
}
