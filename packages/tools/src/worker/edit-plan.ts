// From ops to line edits on the live file, through the gates. No writes here.

import { type Blocks, openBlocks } from "../edit/blocks.ts";
import { captureLines } from "../edit/capture.ts";
import { type TaggedVersion, unseenAnchors } from "../edit/check.ts";
import { indexLines, type LineIndex, memorySource } from "../edit/line-index.ts";
import { isHeadOrTail, type LowerContext, type Lowered, lowerOps } from "../edit/lower.ts";
import type { LineEdit, LineOp } from "../edit/ops.ts";
import { carryOver, carrySeen } from "../edit/recover.ts";
import { type Register, rowsFor } from "../edit/registers.ts";
import { decodeBytes, detectEncoding, type EncodingName } from "../encoding.ts";
import { ToolError } from "../error.ts";
import type { LineRange } from "../line-ranges.ts";
import type { Located } from "../path.ts";
import type { SeenLines } from "../snapshots.ts";
import type { Drifted } from "./edit-file.ts";
import type { LiveFile } from "./live-file.ts";

export interface PlanInput {
  readonly ops: readonly LineOp[];
  readonly versions: readonly TaggedVersion[];
  readonly asked?: EncodingName;
  readonly registers: ReadonlyMap<string, Register>;
  readonly located: Located;
  readonly live: LiveFile;
  /** The version that the live file is; undefined when it changed since. */
  readonly matched: TaggedVersion | undefined;
  readonly cancelled: () => boolean;
}

export interface PlannedEdit {
  readonly kind: "planned";
  /** On the lines of the live file, sorted. */
  readonly edits: readonly LineEdit[];
  readonly captured: ReadonlyMap<string, Register>;
  /** Lines of the live file that the session knows. */
  readonly seen: SeenLines;
  readonly drift?: Drifted;
}

export type Plan =
  | PlannedEdit
  | { readonly kind: "unseen"; readonly lines: readonly LineRange[] }
  | { readonly kind: "declined" };

/** @throws ToolError of `lowerOps`. */
export async function planEdit(input: PlanInput): Promise<Plan> {
  const { ops, live, matched } = input;
  if (matched !== undefined) return lowerOn(input, live.index, matched);
  if (ops.every((op) => isHeadOrTail(op.target))) {
    const plan = await lowerOn(input, live.index, undefined);
    return plan.kind === "planned" ? { ...plan, seen: [], drift: { kind: "head or tail" } } : plan;
  }
  return recover(input);
}

async function recover(input: PlanInput): Promise<Plan> {
  const { live, asked } = input;
  const version = input.versions.find(({ text }) => text !== undefined);
  if (version?.text === undefined || live.bytes === undefined || live.bytes.length > 2 * 1024 * 1024)
    return { kind: "declined" };
  const encoding = detectEncoding(version.text, asked);
  if (encoding.name !== live.encoding.name) return { kind: "declined" };
  const tagged = indexLines(memorySource(version.text), encoding);
  const plan = await lowerOn(input, tagged, version);
  // Lines of the tagged text cannot be shown any more: what they became is what the mismatch shows.
  if (plan.kind !== "planned") return { kind: "declined" };
  const [taggedLines, liveLines] = [textLines(tagged), textLines(live.index)];
  const carried = carryOver(plan.edits, plan.anchors, taggedLines, liveLines);
  if (carried === undefined) return { kind: "declined" };
  const { offset, edits, map } = carried;
  return { ...plan, edits, seen: carrySeen(version.seen, map), drift: { kind: "recovered", offset } };
}

type LoweredPlan = (PlannedEdit & { readonly anchors: readonly LineRange[] }) | Exclude<Plan, PlannedEdit>;

/** @param version the record whose seen lines count; undefined where no line is leaned on. */
async function lowerOn(input: PlanInput, index: LineIndex, version: TaggedVersion | undefined): Promise<LoweredPlan> {
  const blocks = await blocksFor(input, index);
  try {
    const lowered = lowerOps(input.ops, lowerContext(input, index, version, blocks));
    return { kind: "planned", ...lowered, captured: capturedRegisters(lowered, index), seen: version?.seen };
  } catch (error) {
    if (error instanceof Unseen) return { kind: "unseen", lines: error.lines };
    throw error;
  } finally {
    blocks?.close();
  }
}

/** Ends the lowering at the gate; it never leaves this file. */
class Unseen extends Error {
  readonly lines: readonly LineRange[];

  constructor(lines: readonly LineRange[]) {
    super("Lines were not shown");
    this.lines = lines;
  }
}

function lowerContext(
  { registers, live }: PlanInput,
  index: LineIndex,
  version: TaggedVersion | undefined,
  blocks: Blocks | undefined,
): LowerContext {
  return {
    totalLines: index.totalLines,
    admit: (anchors) => {
      const lines = unseenAnchors(anchors, version?.seen);
      if (lines.length > 0) throw new Unseen(lines);
    },
    block: (line, op) => {
      if (blocks === undefined) throw new Error("Blocks were not opened for an op that names one");
      return blocks.block(line, op);
    },
    capture: (first, last) => captureLines(index, first, last),
    register: (name) => {
      const register = registers.get(name);
      return register && rowsFor(register, live.encoding.name);
    },
  };
}

/** Blocks are looked for only when an op names one. */
async function blocksFor({ ops, located, cancelled }: PlanInput, index: LineIndex): Promise<Blocks | undefined> {
  const named = ops.find(({ target }) => target.kind === "block" || target.kind === "after-block");
  if (named === undefined) return undefined;
  if (index.source.size > MAX_PARSED_BYTES) {
    throw new ToolError(
      "EDIT_BLOCK_UNRESOLVED",
      `"${named.source}" names no block: the file is too large to be parsed`,
      {
        next: "name the lines yourself, like N.=M",
        details: { op: named.source },
      },
    );
  }
  const text = decodeBytes(index.source.read(0, index.source.size), index.encoding);
  return openBlocks(located.absolute, text, cancelled);
}

const MAX_PARSED_BYTES = 4 * 1024 * 1024;

function capturedRegisters({ captured }: Lowered, { encoding }: LineIndex): ReadonlyMap<string, Register> {
  return new Map([...captured].map(([name, rows]) => [name, { encoding: encoding.name, rows }]));
}

/** Line endings do not count: a file whose endings were converted is still the same text. */
function textLines(index: LineIndex): readonly string[] {
  const lines: string[] = [];
  for (let number = 1; number <= index.totalLines; number++) {
    const { start, textEnd } = index.line(number);
    lines.push(Buffer.from(index.source.read(start, textEnd)).toString("latin1"));
  }
  return lines;
}
