// How numbers are written in every view. The page runs this file as well.

/** 1234567 is `1,234,567`. */
export function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `12 %`, `0.4 %` where it would be nothing otherwise. */
export function percent(part: number, of: number): string {
  if (of === 0 || part === 0) return "0 %";
  const value = (100 * part) / of;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** 12345 is `12.3k`, 1234567 `1.23M`. */
export function short(value: number): string {
  if (value < 1000) return `${Math.round(value)}`;
  if (value < 999_950) return `${Number((value / 1000).toPrecision(3))}k`;
  if (value < 999_950_000) return `${Number((value / 1e6).toPrecision(3))}M`;
  return `${Number((value / 1e9).toPrecision(3))}G`;
}
