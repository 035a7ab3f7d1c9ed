import { type EnvPolicy, exposedVariables } from "../env-policy.ts";
import { MARK_VARIABLE, markValue } from "./mark.ts";

/**
 * Settings that make programs fail or go on instead of waiting for somebody: no pager, no credential prompt, and an
 * editor that accepts the text as it is (a GUI editor would wait for a person). `CI` is left alone: it changes what
 * package managers and test runners do. `GIT_ASKPASS` empty also switches off `core.askPass` and `SSH_ASKPASS`.
 */
export const NON_INTERACTIVE: Readonly<Record<string, string>> = {
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
};

export interface CommandEnvironment {
  readonly host: NodeJS.ProcessEnv;
  readonly policy: EnvPolicy;
  /** The call's own `env` argument. */
  readonly call: Readonly<Record<string, string>>;
  readonly mark: string;
}

/** The whole environment of one command; what stands later in this list wins: host, settings above, policy, call, mark. */
export function commandEnvironment({ host, policy, call, mark }: CommandEnvironment): Record<string, string> {
  // OLDPWD is the host's; `cd -` in a command would go there.
  const { OLDPWD: _, ...exposed } = exposedVariables(host, policy);
  return {
    ...exposed,
    ...NON_INTERACTIVE,
    ...policy.set,
    ...call,
    [MARK_VARIABLE]: markValue(host[MARK_VARIABLE], mark),
  };
}
