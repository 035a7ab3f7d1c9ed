import { describe, expect, test } from "vitest";
import { createTimeline } from "../../src/report/timeline.ts";

describe("createTimeline", () => {
  test("keeps every point while there is room", () => {
    const timeline = createTimeline(10);
    for (let request = 1; request <= 10; request += 1) timeline.add({ request, tools: [request], words: 0 });
    expect(timeline.points().map(({ request }) => request)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("stays within its points and keeps the fullest", () => {
    const timeline = createTimeline(10);
    for (let request = 1; request <= 10_000; request += 1)
      timeline.add({ request, tools: [request === 5_001 ? 9 : 1], words: 0 });
    const points = timeline.points();
    expect(points.length).toBeLessThanOrEqual(10);
    expect(points.filter(({ tools }) => tools[0] === 9).map(({ request }) => request)).toEqual([5_001]);
  });
});
