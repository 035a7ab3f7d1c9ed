/** One user's hold on a thing that the process has only once. */
export interface Hold<Thing> {
  readonly thing: Thing;
  /** The last one to let go ends the thing. Letting go twice does nothing more. */
  release(): void | Promise<void>;
}

/** Gives all users in the process the same thing: made for the first, ended with the last, made anew for the next. */
export function shareOne<Thing>(make: () => Thing, end: (thing: Thing) => void | Promise<void>): () => Hold<Thing> {
  let shared: { readonly thing: Thing; users: number } | undefined;
  return () => {
    shared ??= { thing: make(), users: 0 };
    const entry = shared;
    entry.users += 1;
    let held = true;
    return {
      thing: entry.thing,
      release: () => {
        if (!held) return;
        held = false;
        entry.users -= 1;
        if (entry.users > 0) return;
        if (shared === entry) shared = undefined;
        return end(entry.thing);
      },
    };
  };
}
