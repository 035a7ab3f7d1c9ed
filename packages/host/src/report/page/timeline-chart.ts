import uPlot from "uplot";
import { percent, short, whole } from "../numbers.ts";
import type { PageTimeline } from "../page-shape.ts";

/** Draws the context from request to request, as a slider that the keyboard can move. Gives the function that redraws it. */
export function startTimeline(timeline: PageTimeline): () => void {
  const place = document.querySelector<HTMLElement>("#timeline-chart");
  if (place === null || timeline.requests.length < 2) return () => undefined;
  place.hidden = false;
  const data = chartData(timeline);
  let chart: uPlot | undefined;
  let at = timeline.requests.length - 1;
  const show = (index: number): void => {
    at = index;
    say(place, timeline, at);
  };
  const redraw = (): void => {
    chart?.destroy();
    chart = new uPlot(options(place, timeline, show), data, place);
  };
  const move = (index: number): void => {
    show(Math.max(0, Math.min(timeline.requests.length - 1, index)));
    const left = chart?.valToPos(timeline.requests[at] ?? 0, "x") ?? 0;
    chart?.setCursor({ left, top: 10 });
  };
  place.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.round(timeline.requests.length / 10));
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -page,
      PageUp: page,
    };
    const step = event.key === "Home" ? -at : event.key === "End" ? timeline.requests.length : steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(at + step);
  });
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    chart?.setSize({ width, height: heightOf(width) });
  }).observe(place);
  show(at);
  return redraw;
}

/** Sums from the bottom up: the tallest area is drawn first, the lower ones over it. */
function chartData({ requests, layers, input }: PageTimeline): uPlot.AlignedData {
  const sums: number[][] = [];
  let below: readonly number[] = requests.map(() => 0);
  for (const { tokens } of layers) {
    const sum = tokens.map((value, index) => value + (below[index] ?? 0));
    sums.unshift(sum);
    below = sum;
  }
  return [[...requests], ...sums, [...input]];
}

function options(place: HTMLElement, timeline: PageTimeline, onCursor: (index: number) => void): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const width = place.clientWidth;
  const stepped = uPlot.paths.stepped?.({ align: -1 });
  const fills = timeline.layers.map((_, index) => color(`--layer-${index}`)).reverse();
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui",
  };
  return {
    width,
    height: heightOf(width),
    legend: { show: false },
    padding: [18, 18, 0, 0],
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, most * 1.06 || 1] } },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    axes: [
      {
        ...axis,
        values: (_, values) => values.map((value) => (Number.isInteger(value) ? whole(value) : "")),
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000],
      },
      { ...axis, size: 54, values: (_, values) => values.map((value) => short(value)) },
    ],
    series: [
      {},
      ...fills.map((fill) => ({
        fill,
        stroke: color("--card"),
        width: 1,
        points: { show: false },
        ...(stepped ? { paths: stepped } : {}),
      })),
      {
        stroke: color("--ink"),
        width: 1.5,
        dash: [4, 3],
        points: { show: false },
        spanGaps: true,
        ...(stepped ? { paths: stepped } : {}),
      },
    ],
    hooks: {
      setCursor: [(chart) => typeof chart.cursor.idx === "number" && onCursor(chart.cursor.idx)],
      draw: [(chart) => drawCompactions(chart, timeline, color)],
    },
  };
}

function heightOf(width: number): number {
  return width < 500 ? 240 : 320;
}

function drawCompactions(chart: uPlot, { compactions }: PageTimeline, color: (name: string) => string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = color("--mark");
  ctx.fillStyle = color("--mark");
  ctx.lineWidth = devicePixelRatio * 1.5;
  for (const { afterRequest, cause } of compactions) {
    // Between the last request before it and the first after it.
    const x = chart.valToPos(afterRequest + 0.5, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.setLineDash(cause === "rewind" ? [3, 4].map((part) => part * devicePixelRatio) : []);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const half = 5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x - half, bbox.top - 2 * half);
    ctx.lineTo(x + half, bbox.top - 2 * half);
    ctx.lineTo(x, bbox.top);
    ctx.fill();
  }
  ctx.restore();
}

/** The numbers at one request, in the legend and for a screen reader. */
function say(place: HTMLElement, { requests, layers, input }: PageTimeline, index: number): void {
  const total = layers.reduce((sum, { tokens }) => sum + (tokens[index] ?? 0), 0);
  const counted = input[index];
  for (const [layer, { tokens }] of layers.entries()) {
    const cell = document.querySelector(`#layer-value-${layer}`);
    if (cell !== null) cell.textContent = `${short(tokens[index] ?? 0)} · ${percent(tokens[index] ?? 0, total)}`;
  }
  const head = `Request ${whole(requests[index] ?? 0)}: about ${whole(total)} tokens seen`;
  const provider = typeof counted === "number" ? `, the provider counted ${whole(counted)}` : "";
  const readout = document.querySelector("#timeline-readout");
  if (readout !== null) readout.textContent = head + provider;
  const parts = [...layers]
    .map(({ name, tokens }) => ({ name, size: tokens[index] ?? 0 }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size)
    .map(({ name, size }) => `${name} ${whole(size)}`);
  place.setAttribute("aria-valuenow", `${index + 1}`);
  place.setAttribute("aria-valuetext", `${head}${provider}. ${parts.join(", ")}`);
}
