import { describe, expect, test } from "vitest";
import { commandEnvironment } from "../../src/shell/environment.ts";

const host = { PATH: "/bin", PAGER: "less", GITHUB_TOKEN: "x", OLDPWD: "/elsewhere", HOME: "/root" };

describe("commandEnvironment", () => {
  test("hands on what is no secret, and answers what would wait for somebody", () => {
    expect(commandEnvironment({ host, policy: {}, call: {}, mark: "m.1." })).toEqual({
      PATH: "/bin",
      HOME: "/root",
      PAGER: "cat",
      GIT_PAGER: "cat",
      MANPAGER: "cat",
      SYSTEMD_PAGER: "cat",
      AWS_PAGER: "",
      EDITOR: "true",
      VISUAL: "true",
      GIT_EDITOR: "true",
      GIT_SEQUENCE_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "",
      SSH_ASKPASS_REQUIRE: "never",
      GCM_INTERACTIVE: "never",
      GH_PROMPT_DISABLED: "1",
      PIP_NO_INPUT: "1",
      DEBIAN_FRONTEND: "noninteractive",
      SPILLWAY_CALL: "m.1.",
    });
  });

  test("lets the policy win over the settings and the call over the policy", () => {
    const environment = commandEnvironment({
      host,
      policy: { set: { PAGER: "more", EDITOR: "vi" } },
      call: { EDITOR: "ed", GITHUB_TOKEN: "given" },
      mark: "m.1.",
    });
    expect(environment).toMatchObject({ PAGER: "more", EDITOR: "ed", GITHUB_TOKEN: "given" });
  });

  test("keeps the mark of an outer call and gives nobody else's value for its own", () => {
    const environment = commandEnvironment({
      host: { SPILLWAY_CALL: "outer.1." },
      policy: { set: { SPILLWAY_CALL: "policy" } },
      call: {},
      mark: "m.1.",
    });
    expect(environment.SPILLWAY_CALL).toBe("outer.1.,m.1.");
  });
});
