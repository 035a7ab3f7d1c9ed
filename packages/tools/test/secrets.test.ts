import { describe, expect, test } from "vitest";
import { holdsSecret, isSecretName, SECRET_OVERLAP_BYTES, secretContent } from "../src/secrets.ts";

describe("isSecretName", () => {
  test.each([
    ".env",
    "app/.env",
    ".ENV",
    ".env.local",
    ".env.production",
    ".env.example.local",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "/home/me/.ssh/id_ed25519",
    "release.p12",
    "cert.PFX",
    "store.jks",
    "debug.keystore",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".aws/credentials",
    "/home/me/.aws/credentials",
    ".kube/config",
    "cluster.kubeconfig",
    ".docker/config.json",
    "gcloud/application_default_credentials.json",
    ".config/gh/hosts.yml",
    ".azure/accessTokens.json",
    ".env~",
    ".env.bak",
    "id_rsa.bak",
    "id_ed25519.old~",
    "release.p12.orig",
    ".kube/config.bak",
    ".netrc.save",
  ])("holds of %s", (path) => {
    expect(isSecretName(path)).toBe(true);
  });

  test.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.test",
    ".env.local.example",
    ".env.example.bak",
    "id_rsa.pub.bak",
    "env",
    "env.ts",
    "my.env",
    ".envrc",
    "id_rsa.pub",
    "id_ed25519.pub",
    "keystore.ts",
    "credentials",
    "config.json",
    "docs/aws/credentials.md",
    "server.pem",
    "app.key",
    ".npmrc",
    "kube/config",
    "x.aws/credentials",
  ])("does not hold of %s", (path) => {
    expect(isSecretName(path)).toBe(false);
  });
});

describe("secretContent", () => {
  test.each([
    ["a/server.pem", "private key"],
    ["SERVER.KEY", "private key"],
    [".npmrc", "registry token"],
    [".npmrc~", "registry token"],
    ["server.pem.bak", "private key"],
    ["readme.md", undefined],
    ["pem", undefined],
    ["key.ts", undefined],
  ])("of %s is %s", (path, content) => {
    expect(secretContent(path)).toBe(content);
  });
});

describe("holdsSecret", () => {
  test.each([
    ["-----BEGIN PRIVATE KEY-----\nMII", true],
    ["x\n-----BEGIN RSA PRIVATE KEY-----", true],
    ["-----BEGIN OPENSSH PRIVATE KEY-----", true],
    ["-----BEGIN ENCRYPTED PRIVATE KEY-----", true],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----", true],
    ["-----BEGIN CERTIFICATE-----\nMII", false],
    ["-----BEGIN PUBLIC KEY-----", false],
    ["a translation key", false],
  ])("finds a private key in %j: %s", (text, holds) => {
    expect(holdsSecret("private key", Buffer.from(text))).toBe(holds);
  });

  test("finds a private key in UTF-16", () => {
    expect(holdsSecret("private key", Buffer.from("-----BEGIN PRIVATE KEY-----", "utf16le"))).toBe(true);
  });

  test.each([
    ["//registry.example/:_authToken=npm_abc", true],
    ["registry=https://registry.example\n_auth = c2VjcmV0", true],
    ["//registry.example/:_password='cGFzcw=='", true],
    [`//registry.example/:_authToken=$${"{TOKEN}"}`, false],
    ["# _authToken=abc", false],
    ["; _authToken=abc", false],
    ["save-exact=true", false],
  ])("finds a registry token in %j: %s", (text, holds) => {
    expect(holdsSecret("registry token", Buffer.from(text))).toBe(holds);
  });

  test("finds a mark that lies across two pieces with their overlap", () => {
    const text = Buffer.from(`${"x".repeat(4000)}\n-----BEGIN RSA PRIVATE KEY-----\n`);
    for (let cut = 3990; cut < text.length; cut++) {
      const pieces = [text.subarray(0, cut), text.subarray(Math.max(0, cut - SECRET_OVERLAP_BYTES))];
      expect(pieces.some((piece) => holdsSecret("private key", piece))).toBe(true);
    }
  });
});
