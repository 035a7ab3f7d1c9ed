// The edit language without files, sessions and gates: for hosts that keep their own texts.
export { type AppliedBytes, type AppliedText, type ApplyOptions, applyOps, applyOpsToText } from "./apply-ops.ts";
export { type Blocks, openBlocks } from "./blocks.ts";
export { diffTexts, type TextDiff } from "./diff-texts.ts";
export type { Hunk, Hunks } from "./hunks.ts";
export type {
  CutOp,
  EditScript,
  GapTarget,
  LineOp,
  MoveOp,
  Op,
  PasteOp,
  PutOp,
  RemoveOp,
  ResolvedSpan,
  SpanTarget,
  Target,
} from "./ops.ts";
export { type ParseLimits, parseOps } from "./parse.ts";
