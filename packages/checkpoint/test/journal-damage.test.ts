import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openJournal } from "../src/index.ts";
import { temporaryFolder } from "./helpers/folder.ts";

type Damage =
  | { readonly kind: "overwrite"; readonly at: number; readonly length: number; readonly byte: number }
  | { readonly kind: "insert line"; readonly at: number; readonly text: string }
  | { readonly kind: "cut"; readonly at: number };

/** A place in the file, as a share of its length. */
const place = fc.double({ min: 0, max: 1, noNaN: true });

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({
    kind: fc.constant("overwrite" as const),
    at: place,
    length: fc.integer({ min: 1, max: 40 }),
    // Neither can stand in a line of JSON; a letter that became another one nobody can tell.
    byte: fc.constantFrom(0x00, 0xff),
  }),
  fc.record({
    kind: fc.constant("insert line" as const),
    at: place,
    text: fc.oneof(fc.constantFrom("{", "null", "[1,2]", '{"v":1,"id":"x"}'), fc.string({ unit: "grapheme" })),
  }),
  fc.record({ kind: fc.constant("cut" as const), at: place }),
);

function harm(bytes: Buffer, fault: Damage): Buffer {
  const at = Math.floor(fault.at * bytes.length);
  switch (fault.kind) {
    case "overwrite":
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(Math.min(fault.length, bytes.length - at), fault.byte),
        bytes.subarray(at + fault.length),
      ]);
    case "insert line": {
      const start = bytes.subarray(0, at).lastIndexOf(0x0a) + 1;
      const line = Buffer.from(`${fault.text.replaceAll("\n", " ")}\n`);
      return Buffer.concat([bytes.subarray(0, start), line, bytes.subarray(start)]);
    }
    case "cut":
      return bytes.subarray(0, at);
  }
}

describe("openJournal", () => {
  test("gives every record back whose line is whole, whatever happened to the others, and takes new ones", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 12 }),
        fc.array(damage, { maxLength: 4 }),
        async (texts, faults) => {
          const file = join(await temporaryFolder(), "journal.jsonl");
          const journal = await openJournal(file);
          const facts = await Promise.all(texts.map((text) => journal.append({ t: "user", text })));
          await journal.close();
          const damaged = faults.reduce(harm, await readFile(file));
          await writeFile(file, damaged);
          const lines = new Set(damaged.toString("latin1").split("\n"));
          const whole = facts.filter((fact) => lines.has(Buffer.from(JSON.stringify(fact)).toString("latin1")));

          const again = await openJournal(file);
          expect(await again.entries()).toEqual(whole);
          const added = await again.append({ t: "user", text: "new" });
          await again.close();

          const last = await openJournal(file);
          expect(await last.entries()).toEqual([...whole, added]);
          await last.close();
          const kept = damaged.subarray(0, damaged.lastIndexOf(0x0a) + 1);
          expect((await readFile(file)).subarray(0, kept.length)).toEqual(kept);
        },
      ),
      { numRuns: 60 },
    );
  });
});
