import { estimateTokens } from "@spillway/limits";
import { describe, expect, test } from "vitest";
import { calibrate, calibratedCounter, parseOverflow } from "../src/index.ts";
import { U } from "./helpers/messages.ts";

const sent = [U("x".repeat(3984))];

describe("calibrate", () => {
  test("ties the figure to the messages it measured", () => {
    expect(calibrate(sent, 1300)).toEqual({
      inputTokens: 1300,
      messageCount: 1,
      fingerprint: expect.stringMatching(/^1\.[0-9a-f]+$/),
      factor: 1.3,
    });
  });

  test("counts what every request carries besides", () => {
    expect(calibrate(sent, 3900, { fixedTokens: 2000 })?.factor).toBe(1.3);
  });

  test("learns at once from an overflow error", () => {
    const overflow = parseOverflow(new Error("prompt is too long: 1300 tokens > 1200 maximum"));
    expect(calibrate(sent, overflow?.inputTokens)?.factor).toBe(1.3);
  });

  test.each([
    ["no figure", undefined],
    ["nothing", 0],
    ["far less than was sent, as servers say that drop old text", 300],
  ])("keeps what it knew when the provider reports %s", (_, inputTokens) => {
    const previous = calibrate(sent, 1300);
    expect(calibrate(sent, inputTokens, previous === undefined ? {} : { previous })).toBe(previous);
    expect(calibrate(sent, inputTokens)).toBeUndefined();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0])("does not believe %d tokens", (reported) => {
    expect(calibrate([{ role: "user", content: "q" }], reported)).toBeUndefined();
  });

  test("never scales by more than 4", () => {
    expect(calibrate(sent, 50_000)).toMatchObject({ inputTokens: 50_000, factor: 4 });
  });
});

describe("calibratedCounter", () => {
  test("scales the counts by what was reported", () => {
    expect(calibratedCounter(estimateTokens, calibrate(sent, 1300))("x".repeat(400))).toBe(130);
    expect(calibratedCounter(estimateTokens, undefined)).toBe(estimateTokens);
  });
});
