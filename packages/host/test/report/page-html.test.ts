// The page in a real browser, opened from the disk.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionOfFile } from "../../src/report/find-sessions.ts";
import { ownLimits } from "../../src/report/limits-now.ts";
import { loadReport } from "../../src/report/load.ts";
import { whole } from "../../src/report/numbers.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "../../src/report/page-assets.ts";
import { htmlReport } from "../../src/report/page-html.ts";
import type { Report } from "../../src/report/report.ts";
import { sameLimit, whatIf } from "../../src/report/what-if.ts";
import { findChromium, openBrowser } from "../helpers/browser.ts";
import { CWD, makeScript, SECRET } from "../helpers/transcripts/script.ts";
import { transcriptLines } from "../helpers/transcripts/write.ts";

const chromium = findChromium();
const BACKGROUND = "getComputedStyle(document.body).backgroundColor";
const HOSTILE = "src/</script><script>window.hacked=1</script>\"'<b>\u202e.ts";

let folder: string;
let report: Report;
let html: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-page-"));
  const path = join(folder, "pi.jsonl");
  const lines = transcriptLines("pi", makeScript({ turns: 12, linesPerRead: 400 })).map((line) =>
    line.replaceAll(JSON.stringify("src/part-1.ts"), () => JSON.stringify(HOSTILE)),
  );
  await writeFile(path, lines.join("\n"));
  report = await loadReport(await sessionOfFile("pi", path));
  html = htmlReport(report, ownLimits());
  await writeFile(join(folder, "report.html"), html);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("htmlReport", () => {
  test("everything is in the page, which may not reach for anything else, in under 300 KB with the chart library", () => {
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
    expect(/<(?:link|img|iframe)[ >]|<[a-z][^>]*\s(?:src|style|on[a-z]+)=|@import|url\(/.test(html)).toBe(false);
    expect(PAGE_SCRIPT.length + PAGE_STYLE.length).toBeLessThan(300 * 1024);
    expect(/<\/script|<!--/i.test(PAGE_SCRIPT)).toBe(false);
    expect(html).toContain("Permission is hereby granted");
  });

  test("foreign names are text and nothing that was said is there", () => {
    expect(html).toContain(
      "src/&lt;/script&gt;&lt;script&gt;window.hacked=1&lt;/script&gt;&quot;&#39;&lt;b&gt;\ufffd.ts",
    );
    for (const text of [HOSTILE, CWD, SECRET]) expect(html.includes(text), text).toBe(false);
  });
});

describe.skipIf(chromium === undefined)("htmlReport in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? "");
  });
  afterAll(() => browser?.close());

  async function openPage(
    options: { colorScheme?: "light" | "dark"; width?: number } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const { colorScheme = "light", width = 1280 } = options;
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const problems: string[] = [];
    page.on("console", (message) => message.type() !== "log" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => !request.url().startsWith("file:") && problems.push(request.url()));
    await page.goto(pathToFileURL(join(folder, "report.html")).href);
    await page.waitForSelector("html[data-ready=true]", { state: "attached", timeout: 60_000 });
    return { page, problems };
  }

  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("it renders in %s at %i pixels without an error or a sideways scroll", async (colorScheme, width) => {
    const { page, problems } = await openPage({ colorScheme, width });
    expect(await page.locator("#timeline-chart canvas").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(await page.evaluate("'hacked' in window")).toBe(false);
    await page.close();
    expect(problems).toEqual([]);
  });

  test("the buttons and sliders change the numbers to those of the same function here", async () => {
    const { page } = await openPage();
    const resent = (): Promise<string | null> => page.locator("#saved-resent").textContent();
    for (const tokens of [1_000, 4_000]) {
      await page.click(`[data-preset="${tokens}"]`);
      expect(await resent()).toBe(whole(whatIf(report.whatIf, sameLimit(tokens)).resent));
    }
    await page.click('[data-preset="none"]');
    expect(await resent()).toBe("0");
    await page.check("#drop-repeats");
    expect(await resent()).toBe(whole(report.totals.repeatResent));
    await page.uncheck("#drop-repeats");
    await page.focus("#limit-read");
    await page.keyboard.press("Home");
    expect(await page.locator("#limit-read-value").textContent()).toBe("250 tokens");
    const unlimited = Number.POSITIVE_INFINITY;
    const limits = { ...sameLimit(unlimited), read: 250 };
    expect(await resent()).toBe(whole(whatIf(report.whatIf, limits).resent));
    await page.close();
  });

  test("the timeline is a slider for the keyboard and says its numbers", async () => {
    const { page } = await openPage();
    await page.focus("#timeline-chart");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const chart = page.locator("#timeline-chart");
    expect(await chart.getAttribute("aria-valuenow")).toBe("2");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(
      /^Request 2: about [\d,]+ tokens seen, the provider counted 5,000\. read [\d,]+, /,
    );
    await page.close();
  });

  test("a click on a column's head sorts by it", async () => {
    const { page } = await openPage();
    const table = page.locator("section:has(#files-title) table");
    const first = (): Promise<string | null> =>
      table.locator("tbody tr").first().locator("td").first().getAttribute("data-value");
    const results = report.paths.map((path) => path.results);
    await table.locator("th button").nth(1).click();
    expect(await first()).toBe(`${Math.max(...results)}`);
    await table.locator("th button").nth(1).click();
    expect(await first()).toBe(`${Math.min(...results)}`);
    await page.close();
  });

  test.each(["light", "dark"] as const)("in %s, words have a contrast of 4.5 and areas of 3", async (colorScheme) => {
    const { page } = await openPage({ colorScheme });
    const names = ["paper", "card", "ink", "muted", "accent", "accent-soft", "mark"];
    const layers = Array.from({ length: 8 }, (_, layer) => `layer-${layer}`);
    const read = `${JSON.stringify([...names, ...layers])}.map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim()])`;
    const colors: Record<string, string> = Object.fromEntries(await page.evaluate(read));
    const ratio = (one: string, other: string): number => contrast(colors[one] ?? "", colors[other] ?? "");
    for (const ground of ["paper", "card", "accent-soft"]) expect(ratio("ink", ground), ground).toBeGreaterThan(4.5);
    for (const word of ["muted", "accent", "mark"]) expect(ratio(word, "card"), word).toBeGreaterThan(4.5);
    expect(ratio("muted", "paper")).toBeGreaterThan(4.5);
    for (let layer = 0; layer < 8; layer += 1)
      expect(ratio(`layer-${layer}`, "card"), `layer ${layer}`).toBeGreaterThan(3);
    expect(await page.locator("#theme").textContent()).toBe(colorScheme === "light" ? "Dark theme" : "Light theme");
    const before = await page.evaluate(BACKGROUND);
    await page.click("#theme");
    expect(await page.evaluate(BACKGROUND)).not.toBe(before);
    await page.close();
  });

  test("every control has a name", async () => {
    const { page } = await openPage();
    const nameless = await page.evaluate(
      "[...document.querySelectorAll('button, input, [role]')].filter((one) => !one.hidden && !one.textContent && !one.ariaLabel && !one.labels?.length).length",
    );
    expect(nameless).toBe(0);
    await page.close();
  });
});

/** WCAG's contrast of two `#rrggbb`. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
