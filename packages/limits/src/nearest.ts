/** The known name that takes the fewest edits from `name`, unless most of it would change; case and separators are ignored. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name.slice(0, 100));
  let best: string | undefined;
  let fewest = Math.max(2, Math.ceil(wanted.length / 2)) + 1;
  for (const candidate of known) {
    const edits = editDistance(wanted, plain(candidate));
    if (edits >= fewest) continue;
    best = candidate;
    fewest = edits;
  }
  return best;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
