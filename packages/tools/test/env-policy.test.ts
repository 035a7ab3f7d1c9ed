import { describe, expect, test } from "vitest";
import { exposedVariables, withheldVariables } from "../src/env-policy.ts";

const withheld = [
  "OPENAI_API_KEY",
  "anthropic_api_key",
  "API_KEY",
  "MYAPIKEY2",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "GITHUB_TOKEN",
  "Npm_Token",
  "TOKEN",
  "npm_config_//registry.example/:_authToken",
  "CLIENT_SECRET_ID",
  "secret",
  "MY_DB_PASSWORD",
  "PGPASSWORD",
  "ADMIN_PASSWD",
  "SSH_PASSPHRASE",
  "MYSQL_PWD",
  "AZURE_DEVOPS_PAT",
  "DEPLOY_PRIVATE_KEY",
  "GCP_CREDENTIALS_JSON",
];

const exposed = [
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "PWD",
  "HARMLESS",
  "TOKENIZERS_PARALLELISM",
  "SSH_AUTH_SOCK",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "KEYBOARD",
  "COMPAT",
  "PATTERN",
];

describe("withheldVariables", () => {
  test.each(withheld)("withholds %s", (name) => {
    expect(withheldVariables({ [name]: "x" }, {})).toEqual([name]);
  });

  test.each(exposed)("leaves %s", (name) => {
    expect(withheldVariables({ [name]: "x" }, {})).toEqual([]);
  });

  test("names them sorted", () => {
    expect(withheldVariables({ Z_TOKEN: "1", PATH: "2", A_TOKEN: "3" }, {})).toEqual(["A_TOKEN", "Z_TOKEN"]);
  });

  test("allows names and patterns, whatever their case", () => {
    const env = { GITHUB_TOKEN: "1", CI_A_TOKEN: "2", CI_B_TOKEN: "3", X_TOKEN: "4" };
    expect(withheldVariables(env, { allow: ["github_token", "CI_*"] })).toEqual(["X_TOKEN"]);
  });

  test("takes characters of a pattern literally but for the star", () => {
    expect(withheldVariables({ A_TOKEN: "1" }, { allow: ["A.TOKEN", "(", "A_TOKE"] })).toEqual(["A_TOKEN"]);
  });

  test("withholds what the policy denies", () => {
    expect(withheldVariables({ DATABASE_URL: "1", PATH: "2" }, { deny: ["DATABASE_*"] })).toEqual(["DATABASE_URL"]);
  });
});

describe("exposedVariables", () => {
  test("hands out the rest and what the policy sets, even under a withheld name", () => {
    const env = { PATH: "/bin", GITHUB_TOKEN: "secret", EMPTY: undefined };
    expect(exposedVariables(env, { set: { DEPLOY_TOKEN: "given", PATH: "/usr/bin" } })).toEqual({
      PATH: "/usr/bin",
      DEPLOY_TOKEN: "given",
    });
  });
});
