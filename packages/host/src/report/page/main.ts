// What runs in the page. Everything it shows is in the page already as tables; it draws, recomputes and sorts.
import type { PageData } from "../page-shape.ts";
import { startSorting } from "./sorting.ts";
import { startTheme } from "./theme.ts";
import { startTimeline } from "./timeline-chart.ts";
import { startWhatIf } from "./what-if-panel.ts";

const text = document.getElementById("report-data")?.textContent ?? "{}";
// Written by the same version of the same program.
const data = JSON.parse(text) as PageData;
for (const bar of document.querySelectorAll<HTMLElement>("[data-share]")) {
  bar.style.setProperty("--share", `${Number(bar.dataset.share) * 100}%`);
}
const redraw = startTimeline(data.timeline);
startTheme(redraw);
startWhatIf(data);
startSorting();
document.documentElement.dataset.ready = "true";
