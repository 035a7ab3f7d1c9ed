import { describe, expect, test } from "vitest";
import { memorySource, PIECE_BYTES } from "../../src/worker/byte-source.ts";
import { isSecretByContent } from "../../src/worker/secret-content.ts";
import { PATIENT } from "../helpers/scanned-file.ts";

const KEY = "-----BEGIN EC PRIVATE KEY-----";

function isSecret(path: string, text: string): boolean {
  return isSecretByContent(path, memorySource(Buffer.from(text)), PATIENT);
}

describe("isSecretByContent", () => {
  test("finds a key wherever it lies in the file, also across two pieces", () => {
    for (const before of [0, 100, PIECE_BYTES - 10, PIECE_BYTES, 3 * PIECE_BYTES - 1]) {
      expect(isSecret("a.pem", `${"x".repeat(before)}${KEY}`)).toBe(true);
    }
    expect(isSecret("a.pem", "x".repeat(3 * PIECE_BYTES))).toBe(false);
  });

  test("does not read files whose name says nothing", () => {
    const source = {
      size: 100,
      read: () => {
        throw new Error("read");
      },
    };
    expect(isSecretByContent("notes.md", source, PATIENT)).toBe(false);
    expect(() => isSecretByContent("a.pem", source, PATIENT)).toThrow("read");
  });
});
