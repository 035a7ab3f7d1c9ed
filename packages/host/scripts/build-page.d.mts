export function pageAssets(): Promise<string>;
