import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/event.ts";
import { BrokenStreamError } from "../src/model-error.ts";
import { OverflowFailure, type RetryOptions, withRetries } from "../src/request.ts";

function optionsOf(signal: AbortSignal = new AbortController().signal): RetryOptions & { events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  return { signal, emit: (event) => events.push(event), waitFor: (retry) => (retry > 4 ? undefined : 1), events };
}

describe("withRetries", () => {
  test("shows each wait and gives the first answer", async () => {
    const options = optionsOf();
    const answer = await withRetries(async (attempt) => {
      if (attempt < 3) throw Object.assign(new Error("Overloaded"), { statusCode: 529 });
      return attempt;
    }, options);
    expect(answer).toBe(3);
    expect(options.events).toEqual([
      {
        type: "warning",
        code: "MODEL_RETRY",
        message: "The model request failed (Overloaded); retry 1 of 8 in 1 ms",
        details: { retry: 1, waitMs: 1, status: 529 },
      },
      expect.objectContaining({ message: "The model request failed (Overloaded); retry 2 of 8 in 1 ms" }),
    ]);
  });

  test("passes on how long the provider asks to wait", async () => {
    const asked: (number | undefined)[] = [];
    const error = Object.assign(new Error("slow"), { statusCode: 429, responseHeaders: { "retry-after": "3" } });
    const options = {
      ...optionsOf(),
      waitFor: (_retry: number, askedMs?: number) => {
        asked.push(askedMs);
        return undefined;
      },
    };
    await expect(withRetries(() => Promise.reject(error), options)).rejects.toThrow(
      "The provider asks for a wait of 3 s (slow): try again later",
    );
    expect(asked).toEqual([3000]);
  });

  test("gives up with the number of attempts", async () => {
    await expect(withRetries(() => Promise.reject(new TypeError("terminated")), optionsOf())).rejects.toMatchObject({
      code: "MODEL_FAILED",
      details: { attempts: 5 },
    });
  });

  test("does not retry what the model refused", async () => {
    let attempts = 0;
    const send = (): Promise<never> => {
      attempts += 1;
      return Promise.reject(Object.assign(new Error("no such model"), { statusCode: 404 }));
    };
    await expect(withRetries(send, optionsOf())).rejects.toThrow(
      "The model refused the request (no such model): check the model's name and settings",
    );
    expect(attempts).toBe(1);
  });

  test("an overflow is for the caller to meet", async () => {
    const overflow = new Error("prompt is too long: 10 tokens > 5 maximum");
    await expect(withRetries(() => Promise.reject(overflow), optionsOf())).rejects.toMatchObject({
      name: "OverflowFailure",
      cause: overflow,
    });
  });

  test("three early ends in a row are taken for an overflow that was not said", async () => {
    let attempts = 0;
    const send = (): Promise<never> => {
      attempts += 1;
      return Promise.reject(new BrokenStreamError("ended"));
    };
    await expect(withRetries(send, optionsOf())).rejects.toBeInstanceOf(OverflowFailure);
    expect(attempts).toBe(3);
  });

  test("an abort ends the wait at once and leaves no listener", async () => {
    const controller = new AbortController();
    const options = { ...optionsOf(controller.signal), waitFor: () => 60_000 };
    const waiting = withRetries(() => Promise.reject(new Error("down")), options);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});
