/** Gives each name a number, so that a long session keeps every path and tool once. */
export interface Names {
  index(name: string): number;
  readonly list: readonly string[];
}

export function createNames(): Names {
  const places = new Map<string, number>();
  const list: string[] = [];
  return {
    index(name) {
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, list.length);
      return list.push(name) - 1;
    },
    list,
  };
}
