// The size of a context from request to request, by tool, in a bounded number of points.

export interface TimelinePoint {
  /** From 1. */
  readonly request: number;
  /** Estimated tokens in the context by place of the tool; tools that came later have none. */
  readonly tools: readonly number[];
  /** Prompts, answers, arguments and summaries. */
  readonly words: number;
  /** What the provider counted. */
  inputTokens?: number;
}

export interface Timeline {
  add(point: TimelinePoint): void;
  /** The request is the newest one. */
  setInput(request: number, inputTokens: number): void;
  points(): readonly TimelinePoint[];
}

export const MAX_TIMELINE_POINTS = 1_200;

/** Of neighbours that fall together the fuller one stays. */
export function createTimeline(maxPoints: number = MAX_TIMELINE_POINTS): Timeline {
  let points: TimelinePoint[] = [];
  let stride = 1;
  const halve = (): void => {
    stride *= 2;
    points = mergeByStride(points, stride);
  };
  return {
    add(point) {
      const last = points.at(-1);
      if (last === undefined || slot(last.request, stride) !== slot(point.request, stride)) points.push(point);
      else if (sizeOf(point) >= sizeOf(last)) points[points.length - 1] = point;
      if (points.length > maxPoints) halve();
    },
    setInput(request, inputTokens) {
      const last = points.at(-1);
      if (last?.request === request) last.inputTokens = inputTokens;
    },
    points: () => points,
  };
}

function slot(request: number, stride: number): number {
  return Math.floor((request - 1) / stride);
}

function mergeByStride(points: readonly TimelinePoint[], stride: number): TimelinePoint[] {
  const merged: TimelinePoint[] = [];
  for (const point of points) {
    const last = merged.at(-1);
    if (last === undefined || slot(last.request, stride) !== slot(point.request, stride)) merged.push(point);
    else if (sizeOf(point) > sizeOf(last)) merged[merged.length - 1] = point;
  }
  return merged;
}

function sizeOf({ tools, words }: TimelinePoint): number {
  return tools.reduce((sum, tokens) => sum + tokens, words);
}
