// An edit by the book, on arrays of lines: what tests compare the real one with.
import fc from "fast-check";

export interface ModelLine {
  readonly text: string;
  /** `\n`, `\r\n`, or nothing for a last line. */
  readonly ending: string;
}

export type ModelOp =
  | { readonly kind: "put"; readonly first: number; readonly last: number; readonly body: readonly string[] }
  | {
      readonly kind: "insert";
      readonly after: number;
      readonly by: "before" | "after";
      readonly body: readonly string[];
    }
  | { readonly kind: "append"; readonly body: readonly string[] }
  | { readonly kind: "cut"; readonly first: number; readonly last: number; readonly register?: string }
  | { readonly kind: "paste"; readonly after: number; readonly register: string };

export interface ModelCase {
  readonly lines: readonly ModelLine[];
  readonly ops: readonly ModelOp[];
}

export function fileText(lines: readonly ModelLine[]): string {
  return lines.map(({ text, ending }) => text + ending).join("");
}

export function scriptText(ops: readonly ModelOp[]): string {
  return ops.map(opText).join("\n");
}

function opText(op: ModelOp): string {
  const register = "register" in op && op.register !== undefined ? ` @${op.register}` : "";
  const body = "body" in op ? op.body.map((row) => `\n+${row}`).join("") : "";
  switch (op.kind) {
    case "put":
      return `PUT ${op.first}.=${op.last}:${body}`;
    case "insert":
      return op.by === "after" ? `PUT >${op.after}:${body}` : `PUT <${op.after + 1}:${body}`;
    case "append":
      return `PUT >$:${body}`;
    case "cut":
      return `CUT ${op.first}.=${op.last}${register}`;
    case "paste":
      return `PUT >${op.after}${register}`;
  }
}

/** The texts of the lines after the ops; `kept` are those that no op named, with the ending they had. */
export function applyModel({ lines, ops }: ModelCase): {
  readonly texts: string[];
  readonly kept: (ModelLine | undefined)[];
} {
  const inserted = new Map<number, readonly string[]>();
  const removed = new Set<number>();
  const replaced = new Map<number, readonly string[]>();
  const registers = new Map<string, readonly string[]>();
  for (const op of ops) {
    if (op.kind === "insert") inserted.set(op.after, op.body);
    else if (op.kind === "append") inserted.set(lines.length, op.body);
    else if (op.kind === "paste") inserted.set(op.after, registers.get(op.register) ?? []);
    else {
      for (let line = op.first; line <= op.last; line++) removed.add(line);
      if (op.kind === "put") replaced.set(op.first, op.body);
      else if (op.register !== undefined)
        registers.set(
          op.register,
          lines.slice(op.first - 1, op.last).map(({ text }) => text),
        );
    }
  }
  const texts: string[] = [];
  const kept: (ModelLine | undefined)[] = [];
  const add = (rows: readonly string[] = []): void => {
    for (const row of rows) {
      texts.push(row);
      kept.push(undefined);
    }
  };
  add(inserted.get(0));
  for (const [index, line] of lines.entries()) {
    add(replaced.get(index + 1));
    if (!removed.has(index + 1)) {
      texts.push(line.text);
      kept.push(line);
    }
    add(inserted.get(index + 1));
  }
  return { texts, kept };
}

const body = fc.array(fc.constantFrom("", "new", "  x", "+", "-y", "a\u00e9"), { minLength: 1, maxLength: 3 });

/** A file and ops that do not meet: the file is walked once, and at each place something happens or not. */
export function modelCases(texts: fc.Arbitrary<string>): fc.Arbitrary<ModelCase> {
  const ending = fc.constantFrom("\n", "\n", "\r\n");
  const line = fc.record({ text: texts, ending });
  return fc
    .tuple(
      fc.array(line, { maxLength: 14 }),
      fc.boolean(),
      fc.array(fc.nat(99), { minLength: 90, maxLength: 90 }),
      fc.array(body, { minLength: 16, maxLength: 16 }),
      fc.nat(),
    )
    .map(([drawn, isOpen, dice, bodies, seed]) => {
      const last = drawn.at(-1);
      const lines =
        isOpen && last !== undefined && last.text !== "" ? [...drawn.slice(0, -1), { ...last, ending: "" }] : drawn;
      return { lines, ops: shuffled(drawOps(lines.length, dice.values(), bodies.values()), seed) };
    })
    .filter(({ ops }) => ops.length > 0);
}

function drawOps(
  total: number,
  dice: IterableIterator<number>,
  bodies: IterableIterator<readonly string[]>,
): ModelOp[] {
  const roll = (sides: number): number => (dice.next().value ?? 0) % sides;
  const draw = (): readonly string[] => bodies.next().value ?? ["x"];
  const register = (): string => `r${roll(2)}`;
  const ops: ModelOp[] = [];
  // A line that an insertion is named by must stay.
  let mustStay = 0;
  if (total > 0 && roll(4) === 0) ops.push({ kind: "insert", after: 0, by: "before", body: draw() });
  for (let line = 1; line <= total; line++) {
    const chance = roll(8);
    const last = Math.min(total, line + roll(3));
    if (chance === 0 && line > mustStay) ops.push({ kind: "put", first: line, last, body: draw() });
    if (chance === 1 && line > mustStay)
      ops.push({ kind: "cut", first: line, last, ...(roll(2) === 0 && { register: register() }) });
    if (chance <= 1 && line > mustStay) line = last;
    if (chance === 2) {
      const by = line < total && roll(2) === 0 ? "before" : "after";
      ops.push({ kind: "insert", after: line, by, body: draw() });
      if (by === "before") mustStay = line + 1;
    }
    if (chance === 3) ops.push({ kind: "paste", after: line, register: register() });
  }
  const isTaken = ops.some((op) => (op.kind === "insert" || op.kind === "paste") && op.after === total);
  if (!isTaken && roll(3) === 0) ops.push({ kind: "append", body: draw() });
  return ops;
}

/** Any order will do, but that a register is filled before it is pasted. */
function shuffled(ops: readonly ModelOp[], seed: number): ModelOp[] {
  const random = (index: number): number => (Math.imul(seed + index + 1, 2654435761) >>> 8) % 1000;
  const mixed = ops
    .map((op, index) => ({ op, rank: op.kind === "paste" ? 1000 + random(index) : random(index) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ op }) => op);
  const filled = new Set(mixed.flatMap((op) => (op.kind === "cut" && op.register !== undefined ? [op.register] : [])));
  return mixed.filter((op) => op.kind !== "paste" || filled.has(op.register));
}
