import { modelMessageSchema, type ModelMessage as SdkMessage } from "ai";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { buildContext, checkPairing, type ModelMessage, repairPairing } from "../src/index.ts";
import { anyMessages, history } from "./helpers/arbitrary.ts";
import { compact } from "./helpers/compaction.ts";
import { U } from "./helpers/messages.ts";

describe("ModelMessage", () => {
  test("is the AI SDK's type, both ways", () => {
    expectTypeOf<SdkMessage>().toExtend<ModelMessage>();
    expectTypeOf<ModelMessage>().toExtend<SdkMessage>();
  });

  test("keeps the caller's own type through the functions", () => {
    const messages: SdkMessage[] = [{ role: "user", content: "q" }];
    expectTypeOf(repairPairing(messages)).toEqualTypeOf<SdkMessage[]>();
    expectTypeOf(buildContext(messages.map((message) => ({ id: "e", message })))).toEqualTypeOf<SdkMessage[]>();
    expect(checkPairing(messages)).toEqual([]);
  });

  test("passes the AI SDK's own schema after any repair", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        for (const message of repairPairing(messages)) expect(modelMessageSchema.parse(message)).toEqual(message);
      }),
      { numRuns: 100 },
    );
  });

  test("passes the AI SDK's own schema after any checkpoint", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (entries) => {
        const long = [{ id: "first", message: U("word ".repeat(20_000)) }, ...entries];
        for (const message of buildContext(long, await compact(long)))
          expect(modelMessageSchema.parse(message)).toEqual(message);
      }),
      { numRuns: 30 },
    );
  });
});
