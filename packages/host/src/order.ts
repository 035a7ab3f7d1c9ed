/** What a call of a batch does to files; `paths` are identities, equal for every spelling of one file. */
export type CallEffect =
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "mutation"; readonly paths: readonly string[] }
  | { readonly kind: "search" }
  | { readonly kind: "shell" };

/**
 * For each call of a batch the indices of the earlier calls it waits for. Reads, searches and shells run side by side;
 * changes of one path keep the call order (reads of it included), a search sees every earlier change, and shells and
 * changes keep their order among each other, because what a command touches is unknown.
 */
export function planOrder(calls: readonly CallEffect[]): number[][] {
  return calls.map((call, index) => {
    const earlier = calls.slice(0, index);
    return earlier.flatMap((other, position) => (waitsFor(call, other) ? [position] : []));
  });
}

function waitsFor(call: CallEffect, earlier: CallEffect): boolean {
  switch (call.kind) {
    case "read":
      return earlier.kind === "mutation" && meet(call.paths, earlier.paths);
    case "search":
    case "shell":
      return earlier.kind === "mutation";
    case "mutation":
      if (earlier.kind === "shell") return true;
      return (earlier.kind === "mutation" || earlier.kind === "read") && meet(call.paths, earlier.paths);
  }
}

function meet(a: readonly string[], b: readonly string[]): boolean {
  return a.some((path) => b.includes(path));
}
