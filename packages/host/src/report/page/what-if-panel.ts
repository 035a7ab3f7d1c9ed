import { percent, whole } from "../numbers.ts";
import type { PageData } from "../page-shape.ts";
import { type LimitedKind, type WhatIfLimits, whatIf } from "../what-if.ts";

const KINDS: readonly LimitedKind[] = ["read", "search", "command", "other"];
const STEPS = 100;

/** The sliders: each is one limit, on a logarithmic scale whose last step is no limit at all. */
export function startWhatIf(data: PageData): void {
  const panel = document.querySelector<HTMLElement>("#what-if-panel");
  const drop = document.querySelector<HTMLInputElement>("#drop-repeats");
  if (panel === null || drop === null) return;
  const scale = scaleOf(data.leastLimit, data.mostLimit);
  const sliders = KINDS.flatMap((kind) => {
    const input = document.querySelector<HTMLInputElement>(`#limit-${kind}`);
    return input === null ? [] : [{ kind, input }];
  });
  // What a button set stays exact; a slider has steps.
  const limits: Record<LimitedKind, number> = { read: 0, search: 0, command: 0, other: 0 };
  const setLimits = (wanted: WhatIfLimits): void => {
    for (const { kind, input } of sliders) {
      limits[kind] = wanted[kind];
      input.value = `${scale.stepOf(wanted[kind])}`;
    }
    drop.checked = wanted.dropRepeats;
    show();
  };
  const show = (): void => {
    for (const { kind, input } of sliders) {
      const words = Number.isFinite(limits[kind]) ? `${whole(limits[kind])} tokens` : "no limit";
      input.setAttribute("aria-valuetext", words);
      write(`#limit-${kind}-value`, words);
    }
    const saving = whatIf(data.whatIf, { ...limits, dropRepeats: drop.checked });
    write("#saved-resent", whole(saving.resent));
    write("#saved-resent-share", percent(saving.resent, data.totals.resent));
    write("#saved-tokens", whole(saving.tokens));
    write("#saved-tokens-share", percent(saving.tokens, data.totals.tokens));
    write("#saved-results", whole(saving.results));
    const bar = document.querySelector<HTMLElement>("#saved-bar");
    bar?.style.setProperty("--share", `${data.totals.resent === 0 ? 0 : (100 * saving.resent) / data.totals.resent}%`);
  };
  for (const { kind, input } of sliders) {
    input.max = `${STEPS}`;
    input.addEventListener("input", () => {
      limits[kind] = scale.tokensOf(Number(input.value));
      show();
    });
  }
  drop.addEventListener("input", show);
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-preset]")) {
    button.addEventListener("click", () => setLimits(preset(button.dataset.preset ?? "", data)));
  }
  panel.hidden = false;
  setLimits(preset("4000", data));
}

function preset(name: string, { ownLimits }: PageData): WhatIfLimits {
  if (name === "own") return ownLimits;
  const tokens = name === "none" ? Number.POSITIVE_INFINITY : Number(name);
  return { read: tokens, search: tokens, command: tokens, other: tokens, dropRepeats: false };
}

function write(selector: string, text: string): void {
  const element = document.querySelector(selector);
  if (element !== null && element.textContent !== text) element.textContent = text;
}

interface Scale {
  tokensOf(step: number): number;
  stepOf(tokens: number): number;
}

function scaleOf(least: number, most: number): Scale {
  const ratio = Math.log(most / least);
  const tokensOf = (step: number): number => {
    if (step >= STEPS) return Number.POSITIVE_INFINITY;
    const exact = least * Math.exp((ratio * step) / (STEPS - 1));
    const digits = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
    return Math.round(exact / digits) * digits;
  };
  return {
    tokensOf,
    stepOf: (tokens) => {
      if (tokens >= most * 1.02) return STEPS;
      return Math.max(0, Math.min(STEPS - 1, Math.round(((STEPS - 1) * Math.log(tokens / least)) / ratio)));
    },
  };
}
