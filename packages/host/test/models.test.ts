import { describe, expect, onTestFinished, test } from "vitest";
import { resolveModel } from "../src/models.ts";
import { startLocalServer } from "./helpers/local-server.ts";

describe("resolveModel", () => {
  test.each([
    [{ model: "demo" }, {}, "spillway", "demo-scripted", 24_576],
    [{ model: "anthropic/claude-x" }, { ANTHROPIC_API_KEY: "k" }, "anthropic.messages", "claude-x", 200_000],
    [{ model: "openai/gpt-4.1" }, { OPENAI_API_KEY: "k" }, "openai.responses", "gpt-4.1", 128_000],
    [{ model: "openai/gpt-4.1", contextWindow: 9000 }, { OPENAI_API_KEY: "k" }, "openai.responses", "gpt-4.1", 9000],
  ])("%j", async (choice, environment, provider, modelId, window) => {
    const { model, contextWindow } = await resolveModel(choice, environment);
    expect(model).toMatchObject({ provider, modelId });
    expect(contextWindow).toBe(window);
  });

  test.each([
    [{ model: "org/name" }, 32_768],
    [{ model: "org/name", contextWindow: 9000 }, 9000],
  ])("%j at a server that says nothing of itself", async (choice, window) => {
    const server = await startLocalServer({});
    onTestFinished(() => server.close());
    const { model, contextWindow } = await resolveModel({ ...choice, baseUrl: `${server.origin}/v1` }, {});
    expect(model).toMatchObject({ provider: "compatible.chat", modelId: "org/name" });
    expect(contextWindow).toBe(window);
  });

  test("refuses a server of this machine that is not there", async () => {
    await expect(resolveModel({ model: "m", baseUrl: "http://127.0.0.1:1/v1" }, {})).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining('Nothing listens at "http://127.0.0.1:1/v1"'),
    });
  });

  test.each([
    [{}, "CONFIG_INVALID", "No model is chosen: use --model anthropic/"],
    [{ model: "gpt" }, "CONFIG_INVALID", 'Unknown model "gpt": use --model anthropic/'],
    [{ model: "google/gemini" }, "CONFIG_INVALID", 'Unknown model "google/gemini"'],
    [{ model: "constructor/x" }, "CONFIG_INVALID", 'Unknown model "constructor/x"'],
    [{ model: "openai/" }, "CONFIG_INVALID", 'Unknown model "openai/"'],
    [
      { model: "anthropic/claude-x" },
      "MODEL_UNAVAILABLE",
      'anthropic/claude-x needs a key: set ANTHROPIC_API_KEY, or try "spillway demo", which needs none',
    ],
  ])("refuses %j", async (choice, code, message) => {
    await expect(resolveModel(choice, {})).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
