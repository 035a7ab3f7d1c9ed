import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliHome, createCliHome } from "../helpers/cli.ts";
import { type LocalServer, ollamaRoutes, startLocalServer } from "../helpers/local-server.ts";
import { openaiChat } from "../helpers/wire/openai-chat.ts";
import { startWireServer, type WireServer } from "../helpers/wire/server.ts";

let home: CliHome;
const servers: (LocalServer | WireServer)[] = [];
beforeEach(async () => {
  home = await createCliHome();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await home.remove();
});

function opened<Server extends LocalServer | WireServer>(server: Server): Server {
  servers.push(server);
  return server;
}

describe("spillway models", () => {
  test("lists what a server offers, what it takes, and the flags to use it", async () => {
    const { origin } = opened(await startLocalServer(ollamaRoutes(4096)));
    const { stdout, code } = await home.run(["models", origin]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `Ollama: not loaded, made for 41k tokens\n  --base-url ${origin}/v1 --model qwen3:latest\n` +
        `Ollama: not loaded, made for 41k tokens, cannot call tools\n  --base-url ${origin}/v1 --model embed:latest\n` +
        "\nHosted: --model anthropic/… with ANTHROPIC_API_KEY, --model openai/… with OPENAI_API_KEY\n",
    );
  });

  test("with --json prints one model a line", async () => {
    const { origin } = opened(
      await startLocalServer({
        "/v1/models": { data: [{ id: "m", max_model_len: 9000 }] },
      }),
    );
    const { stdout } = await home.run(["models", origin, "--json"]);
    expect(JSON.parse(stdout)).toEqual({ server: "vLLM", baseUrl: `${origin}/v1`, model: "m", contextWindow: 9000 });
  });

  test("says where it looked when nobody answers, and what is no address", async () => {
    const none = await home.run(["models", "http://127.0.0.1:1"]);
    expect(none).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No model server answers at http:\/\/127\.0\.0\.1:1\n/),
    });
    const wrong = await home.run(["models", "nowhere"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid URL "nowhere": write it like') });
  });
});

describe("spillway run with a local server", () => {
  test("says at once that nothing listens there", async () => {
    const url = "http://127.0.0.1:1/v1";
    expect(await home.run(["run", "hi", "--base-url", url, "--model", "local"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Nothing listens at "${url}": start the server, or see "spillway models"`),
    });
  });

  test("says with which flags the session goes on", async () => {
    const { url } = opened(await startWireServer(openaiChat, { script: () => ({ text: "Hello." }) }));
    const { stderr } = await home.run(["run", "hi", "--base-url", url, "--model", "local", "--session", "s1"]);
    expect(stderr).toContain(`spillway resume s1 --model local --base-url ${url}\n`);
  });

  test("says that a window is assumed, and heeds the one that is set", async () => {
    const { url } = opened(await startWireServer(openaiChat, { script: () => ({ text: "Hello." }) }));
    const assumed = await home.run(["run", "hi", "--base-url", url, "--model", "local", "--json"]);
    const [, warning, step] = assumed.stdout.split("\n").map((line) => (line === "" ? {} : JSON.parse(line)));
    expect(warning).toMatchObject({
      ...{ type: "warning", code: "CONTEXT_WINDOW" },
      message: `"${url}" does not say how many tokens "local" takes, 32768 are assumed: set --context-window`,
    });
    expect(step).toMatchObject({ type: "step_start", hardLimit: 16_384 });
    const set = await home.run(["run", "hi", "--base-url", url, "--model", "local", "--context-window", "50000"]);
    expect(set).toMatchObject({ code: 0, stdout: "Hello.\n", stderr: expect.not.stringContaining("!") });
  });

  test("warns when the server silently drops a part of what it is sent", async () => {
    const { url } = opened(
      await startWireServer(openaiChat, {
        ...{ script: () => ({ text: "Hello." }), reportsAtMost: 2048 },
      }),
    );
    const { stderr, code } = await home.run(
      ["run", "-", "--base-url", url, "--model", "local", "--context-window", "64000"],
      { input: "some words ".repeat(6000) },
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /! The server counted 2048 of about \d+ tokens: it drops old text, raise its context length \(for Ollama: OLLAMA_CONTEXT_LENGTH\)/,
    );
  });

  test("says that a window is too small for the tools before it sends anything", async () => {
    const routes = { ...ollamaRoutes(4096), "/v1/chat/completions": { error: { message: "never asked for" } } };
    const local = opened(await startLocalServer(routes));
    const { stderr, code } = await home.run(["run", "hi", "--base-url", `${local.origin}/v1`, "--model", "qwen3"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '! "qwen3" takes 4096 tokens as its server runs now, too few for the tools: start it with at least 16384 (for Ollama: OLLAMA_CONTEXT_LENGTH)',
    );
    expect(stderr).toMatch(/✗ CONTEXT_COMPACTION_FAILED: .*system text and tool schemas/);
    expect(local.asked).not.toContain("/v1/chat/completions");
  });
});
