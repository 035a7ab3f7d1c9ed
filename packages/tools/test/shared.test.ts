import { describe, expect, test } from "vitest";
import { shareOne } from "../src/shared.ts";

describe("shareOne", () => {
  test("makes it for the first user, ends it with the last, and makes another one for the next", () => {
    const told: string[] = [];
    let made = 0;
    const share = shareOne(
      () => {
        made += 1;
        told.push(`made ${made}`);
        return made;
      },
      (thing) => {
        told.push(`ended ${thing}`);
      },
    );
    const first = share();
    const second = share();
    expect([first.thing, second.thing]).toEqual([1, 1]);
    first.release();
    first.release();
    expect(told).toEqual(["made 1"]);
    second.release();
    expect(share().thing).toBe(2);
    expect(told).toEqual(["made 1", "ended 1", "made 2"]);
  });

  test("gives what ending it gives, so that the last one can wait for it", async () => {
    const share = shareOne(
      () => "thing",
      () => Promise.reject(new Error("ended badly")),
    );
    await expect(share().release()).rejects.toThrow("ended badly");
  });
});
