import { describe, expect, test } from "vitest";
import { listHint } from "../../src/search/list-hint.ts";

describe("listHint", () => {
  test.each(["*.ts,*.tsx", "*.ts, *.tsx", "*.ts *.tsx", "*.ts,*.tsx,"])("joins %j", (pattern) => {
    expect(listHint(pattern)).toBe(' Several patterns are written as one: "{*.ts,*.tsx}".');
  });

  test.each(["*.ts", "*.{ts,tsx}", "a, b.txt", "Program Files/**", "!(a,b)*", "*.ts,!*.d.ts", ","])(
    "has nothing to say of %j",
    (pattern) => expect(listHint(pattern)).toBe(""),
  );
});
