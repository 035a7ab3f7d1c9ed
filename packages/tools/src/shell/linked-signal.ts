/** A signal that follows several others until it is disposed; `AbortSignal.any` would stay tied to long-lived ones. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  dispose(): void;
}

export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const follow = sources.map((source) => {
    const abort = (): void => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener("abort", abort, { once: true });
    return () => source.removeEventListener("abort", abort);
  });
  return {
    signal: controller.signal,
    dispose: () => {
      for (const stop of follow) stop();
    },
  };
}
