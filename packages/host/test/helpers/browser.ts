// A real browser for the page, where there is one.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where Chromium is: `CHROMIUM` names another place. Undefined where there is none: those tests are skipped, and say so. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  const found = [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path));
  if (found === undefined)
    console.warn(
      "SKIPPED: no Chromium was found, so the report's page is not tested in a browser (apt-get install chromium)",
    );
  return found;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Root has no sandbox; the page is ours.
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-gpu", "--disable-dev-shm-usage"],
    timeout: 60_000,
  });
}
