/** Characters of a name that are compared. */
const COMPARED = 64;

/** The names most like `wanted`, best first, at most `most`; nothing that shares too little with it. */
export function nearestNames(wanted: string, names: Iterable<string>, most = 3): string[] {
  const target = wanted.toLowerCase();
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const score = distance(target, name.toLowerCase());
    if (score <= Math.max(2, Math.ceil(Math.min(target.length, COMPARED) * 0.5))) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map((entry) => entry.name);
}

/** Edit distance where a shared prefix, suffix or containment counts as close: `config` is near `config.json`. */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  return levenshtein(a.slice(0, COMPARED), b.slice(0, COMPARED));
}

function levenshtein(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
