import { estimateTokens } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import { createContextMeter } from "../src/context-meter.ts";
import { createTokenCache } from "../src/token-cache.ts";

const user = (text: string): { role: "user"; content: string } => ({ role: "user", content: text });

function meterWith(contextWindow: number): ReturnType<typeof createContextMeter> {
  const cache = createTokenCache(async (texts) => texts.map(estimateTokens));
  return createContextMeter({ contextWindow, maxOutputTokens: 16_384, fixedText: "x".repeat(4000), cache });
}

describe("createContextMeter", () => {
  test("counts what every request carries beside the messages", async () => {
    expect(await meterWith(100_000).estimate([user("y".repeat(400))])).toBe(1000 + 100 + 4);
  });

  test("learns from what the provider reports, and scales what came after", async () => {
    const meter = meterWith(60_000);
    const messages = [user("y".repeat(40_000))];
    expect(await meter.observe(messages, 22_000)).toBe(true);
    expect(await meter.estimate(messages)).toBe(22_000);
    const factor = 22_000 / 11_004;
    expect(await meter.estimate([...messages, user("z".repeat(4000))])).toBe(22_000 + Math.ceil(1004 * factor));
  });

  test("far below the limit nothing is counted exactly until it could matter", async () => {
    let counted = 0;
    const cache = createTokenCache(async (texts) => {
      counted += texts.length;
      return texts.map(estimateTokens);
    });
    const options = { contextWindow: 100_000, maxOutputTokens: 16_384, fixedText: "x".repeat(4000) };
    const meter = createContextMeter({ ...options, cache });
    const small = [user("y".repeat(4000))];
    await meter.estimate(small);
    expect(await meter.observe(small, 3000)).toBe(true);
    expect(await meter.estimate([...small, user("z".repeat(400))])).toBe(3000 + Math.ceil((104 * 3000) / 2004));
    expect(meter.isFarFromLimit(small, ["w".repeat(4000)])).toBe(true);
    expect(meter.isFarFromLimit(small, ["w".repeat(200_000)])).toBe(false);
    expect(counted).toBe(0);
    expect(await meter.measure(small)).toBe(3000);
    expect(meter.usage?.factor).toBeCloseTo(3000 / 2004);
    expect(counted).toBeGreaterThan(0);
  });

  test("a figure far below the count is not believed, and reported as such", async () => {
    const meter = meterWith(100_000);
    const messages = [user("y".repeat(80_000))];
    expect(await meter.observe(messages, 4096)).toBe(false);
    expect(meter.usage).toBeUndefined();
    expect(await meter.observe([user("hi")], 300)).toBe(true);
  });

  test("an overflow error that names a smaller window corrects it, a larger one does not", async () => {
    const meter = meterWith(200_000);
    expect(meter.budget.hardLimit).toBe(200_000 - 16_384);
    await meter.observeOverflow([user("hi")], { limit: 300_000 });
    expect(meter.budget.hardLimit).toBe(200_000 - 16_384);
    await meter.observeOverflow([user("hi")], { limit: 50_000 });
    expect(meter.budget.hardLimit).toBe(50_000 - 16_384);
  });

  test("an overflow error without numbers means that the window is at most what was refused", async () => {
    const meter = meterWith(200_000);
    await meter.observeOverflow([user("y".repeat(240_000))], {});
    const { hardLimit, headroom } = meter.budget;
    expect(hardLimit + headroom).toBe(await meter.measure([user("y".repeat(240_000))]));
    await meter.observeOverflow([user("y".repeat(400_000))], {});
    expect(meter.budget.hardLimit).toBe(hardLimit);
  });
});
