// Messages

export { type BoundBatchOptions, boundBatch, type RenderShare } from "./batch.ts";
// Size
export { type ContextBudget, contextBudget } from "./budget.ts";
export { type CalibrateOptions, calibrate, calibratedCounter } from "./calibrate.ts";
export { type CheckpointOptions, createCheckpoint } from "./checkpoint.ts";
// Checkpoints
export { buildContext } from "./context.ts";
// Errors
export { CheckpointError, type CheckpointErrorCode, isCheckpointError } from "./error.ts";
export { type EstimateOptions, estimateContext } from "./estimate.ts";
export type { Fact, NewFact } from "./fact.ts";
// Journal
export { type Journal, openJournal, type StoredCheckpoint } from "./journal.ts";
export { INTERRUPTED_RESULT, type PairingOptions, type PairingProblem, type PairingProblemKind } from "./match.ts";
export type { Entry, MessageLike, ModelMessage, ToolResultOutput, ToolResultPart, UserMessage } from "./message.ts";
export { type Overflow, parseOverflow } from "./overflow.ts";
export { checkPairing, repairPairing } from "./pairing.ts";
export { createProgressGuard, type ProgressGuard } from "./progress.ts";
export type { Checkpoint, CheckpointFamily, CheckpointMode, Fallback, RetainedMessage } from "./record.ts";
export type { DamagedLine, Recovery } from "./recovery.ts";
export { dueReminder, NEW_CONTEXT_TOOL, type Reminder, type ReminderKind, reminderThresholds } from "./reminder.ts";
export type { Summarize, SummaryAnswer, SummaryRequest } from "./summarize.ts";
export { entriesOf } from "./transcript.ts";
export type { Usage } from "./usage.ts";
