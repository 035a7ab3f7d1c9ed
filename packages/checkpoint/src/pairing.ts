import { cleanParts, hasContent, isBlank } from "./content.ts";
import { filledOutput } from "./filled-output.ts";
import {
  INTERRUPTED_RESULT,
  matchResults,
  type PairingOptions,
  type PairingProblem,
  type Slot,
  type Step,
} from "./match.ts";
import type {
  AssistantMessage,
  AssistantPart,
  MessageLike,
  ModelMessage,
  ToolApprovalResponse,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "./message.ts";
import { textProblems, wellFormedValue } from "./well-formed.ts";

/** Lists every violation of the pairing rule, in the order of the messages; empty means valid. */
export function checkPairing<M extends MessageLike>(messages: readonly M[], options?: PairingOptions): PairingProblem[];
export function checkPairing(given: readonly ModelMessage[], options: PairingOptions = {}): PairingProblem[] {
  const messages = given.map(blankIfMissing);
  const transcript = readTranscript(messages);
  const problems = [...matchResults(transcript.steps, options).problems];
  messages.forEach((message, index) => {
    problems.push(...contentProblems(message, index, transcript), ...textProblems(message, index));
  });
  return problems.sort((a, b) => a.index - b.index);
}

/**
 * Returns messages that every provider accepts: a missing result becomes an error result, a late one is moved to its
 * place, orphans, duplicates and empty parts are dropped, half characters replaced. Never changes the input, gives the same bytes each time, and
 * gives its own output back unchanged.
 */
export function repairPairing<M extends MessageLike>(messages: readonly M[], options?: PairingOptions): M[];
export function repairPairing(given: readonly ModelMessage[], options: PairingOptions = {}): ModelMessage[] {
  const messages = wellFormedValue(given).map(blankIfMissing);
  const transcript = readTranscript(messages);
  const { batches } = matchResults(transcript.steps, options);
  const repaired: ModelMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      const approvals = message.content.filter(isApproval);
      if (approvals.length > 0 && !batches.has(index - 1)) keepApprovals(repaired, message, approvals);
    } else if (message.role === "assistant") {
      repaired.push(...repairStep(message, index, messages[index + 1], transcript, batches.get(index) ?? []));
    } else {
      const kept = typeof message.content === "string" ? keepText(message) : keepUserParts(message, index);
      if (kept !== undefined) repaired.push(kept);
    }
  });
  return repaired;
}

// A message without content is no message of the SDK's types, but stored histories have them.
function blankIfMissing(message: ModelMessage): ModelMessage {
  const content: unknown = message.content;
  return content === null || content === undefined ? { role: "user", content: "" } : message;
}

interface Transcript {
  readonly steps: readonly Step<ToolResultPart>[];
  /** The calls of each message that the application has to answer. */
  readonly calls: readonly (readonly ToolCallPart[])[];
  /** Ids of calls the provider ran itself; their results stay inside assistant messages. */
  readonly providerIds: ReadonlySet<string>;
}

function readTranscript(messages: readonly ModelMessage[]): Transcript {
  const providerIds = new Set<string>();
  for (const message of messages) {
    for (const part of assistantParts(message)) {
      if (part.type === "tool-call" && part.providerExecuted === true) providerIds.add(part.toolCallId);
    }
  }
  const pending = pendingApprovals(messages);
  const calls = messages.map((message) => ownCalls(message, pending));
  const steps = messages.map((message, index): Step<ToolResultPart> => {
    const own = calls[index] ?? NONE;
    const found = resultParts(message);
    const results = message.role === "tool" ? found : found.filter((part) => !providerIds.has(part.toolCallId));
    return {
      index,
      calls: own.length === 0 ? NONE : own.map((call) => ({ id: call.toolCallId, index })),
      results: results.length === 0 ? NONE : results.map((part) => ({ id: part.toolCallId, index, value: part })),
      resultsLead: message.role === "tool",
    };
  });
  return { steps, calls, providerIds };
}

function ownCalls(message: ModelMessage, pending: ReadonlySet<AssistantPart>): readonly ToolCallPart[] {
  const parts = assistantParts(message);
  if (parts.length === 0) return NONE;
  return parts.filter(
    (part): part is ToolCallPart => part.type === "tool-call" && part.providerExecuted !== true && !pending.has(part),
  );
}

function assistantParts(message: ModelMessage): readonly AssistantPart[] {
  return message.role === "assistant" && typeof message.content !== "string" ? message.content : NONE;
}

function resultParts(message: ModelMessage): readonly ToolResultPart[] {
  const parts = message.role === "tool" ? message.content : assistantParts(message);
  return parts.length === 0 ? NONE : parts.filter((part) => part.type === "tool-result");
}

// A call approved (or denied) by the very last message is answered by whoever runs the approval, not by a repair.
function pendingApprovals(messages: readonly ModelMessage[]): ReadonlySet<AssistantPart> {
  const last = messages.at(-1);
  const before = messages.at(-2);
  if (last?.role !== "tool" || before === undefined) return new Set();
  const answered = new Set(last.content.filter(isApproval).map((part) => part.approvalId));
  const done = new Set(resultParts(last).map((part) => part.toolCallId));
  const waiting = new Set<string>();
  for (const part of assistantParts(before)) {
    if (part.type === "tool-approval-request" && answered.has(part.approvalId)) waiting.add(part.toolCallId);
  }
  return new Set(
    assistantParts(before).filter(
      (part) => part.type === "tool-call" && waiting.has(part.toolCallId) && !done.has(part.toolCallId),
    ),
  );
}

function contentProblems(message: ModelMessage, index: number, transcript: Transcript): readonly PairingProblem[] {
  if (message.role === "tool") {
    const isEmpty = resultParts(message).some(({ output }) => filledOutput(output) !== output);
    if (isEmpty) return [{ kind: "empty-part", index, message: "The message has a result with an empty text" }];
    return message.content.length > 0 ? [] : [emptyMessage(index)];
  }
  if (typeof message.content === "string") return isBlank(message.content) ? [emptyMessage(index)] : [];
  if (message.role === "user") return cleanParts(message.content, index, isEmptyPart).problems;
  return cleanParts(withoutStrays(message.content, transcript), index, isEmptyPart).problems;
}

function emptyMessage(index: number): PairingProblem {
  return { kind: "empty-message", index, message: "The message has no content" };
}

function isEmptyPart(part: AssistantPart | { type: "image" }): boolean {
  if (part.type === "text") return isBlank(part.text);
  return part.type === "reasoning" && isBlank(part.text) && part.providerOptions === undefined;
}

function keepText<M extends { content: unknown }>(message: M): M | undefined {
  return typeof message.content === "string" && isBlank(message.content) ? undefined : message;
}

function keepUserParts<M extends ModelMessage>(message: M, index: number): ModelMessage | undefined {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const { parts } = cleanParts(message.content, index, isEmptyPart);
  if (!hasContent(parts)) return undefined;
  return parts === message.content ? message : { ...message, content: [...parts] };
}

function withoutStrays(content: readonly AssistantPart[], transcript: Transcript): readonly AssistantPart[] {
  const kept = content.filter((part) => part.type !== "tool-result" || transcript.providerIds.has(part.toolCallId));
  return kept.length === content.length ? content : kept;
}

function repairStep(
  message: AssistantMessage,
  index: number,
  next: ModelMessage | undefined,
  transcript: Transcript,
  slots: readonly Slot<ToolResultPart>[],
): ModelMessage[] {
  if (typeof message.content === "string") return isBlank(message.content) ? [] : [message];
  const { parts } = cleanParts(withoutStrays(message.content, transcript), index, isEmptyPart);
  const calls = transcript.calls[index] ?? [];
  const renamed = slots.some(({ id, sentId }) => id !== sentId) ? renameCalls(parts, calls, slots) : parts;
  if (!hasContent(renamed)) return [];
  const kept = renamed === message.content ? message : { ...message, content: [...renamed] };
  return slots.length === 0 ? [kept] : [kept, resultMessage(calls, slots, next)];
}

function renameCalls(
  parts: readonly AssistantPart[],
  calls: readonly ToolCallPart[],
  slots: readonly Slot<ToolResultPart>[],
): readonly AssistantPart[] {
  const sent = new Map<AssistantPart, string>();
  calls.forEach((call, at) => {
    sent.set(call, slots[at]?.sentId ?? call.toolCallId);
  });
  return parts.map((part) => {
    const sentId = part.type === "tool-call" ? sent.get(part) : undefined;
    return sentId === undefined || part.type !== "tool-call" ? part : { ...part, toolCallId: sentId };
  });
}

function resultMessage(
  calls: readonly ToolCallPart[],
  slots: readonly Slot<ToolResultPart>[],
  next: ModelMessage | undefined,
): ToolMessage {
  const results = slots.map((slot, at): ToolResultPart => {
    if (slot.answer === undefined) return interruptedResult(slot.sentId, calls[at]?.toolName ?? "");
    const part = slot.answer.value;
    const output = filledOutput(part.output);
    const same = part.toolCallId === slot.sentId && output === part.output;
    return same ? part : { ...part, toolCallId: slot.sentId, output };
  });
  if (next?.role !== "tool") return { role: "tool", content: results };
  const content = [...results, ...next.content.filter(isApproval)];
  const same = content.length === next.content.length && content.every((part, at) => part === next.content[at]);
  return same ? next : { ...next, content };
}

function interruptedResult(toolCallId: string, toolName: string): ToolResultPart {
  return { type: "tool-result", toolCallId, toolName, output: { type: "error-text", value: INTERRUPTED_RESULT } };
}

function isApproval(part: ToolMessage["content"][number]): part is ToolApprovalResponse {
  return part.type === "tool-approval-response";
}

function keepApprovals(repaired: ModelMessage[], message: ToolMessage, approvals: ToolApprovalResponse[]): void {
  const last = repaired.at(-1);
  if (last?.role !== "tool") {
    repaired.push(approvals.length === message.content.length ? message : { ...message, content: approvals });
    return;
  }
  repaired[repaired.length - 1] = { ...last, content: [...last.content, ...approvals] };
}

// Most messages hold no calls and no results: one empty list serves all of them.
const NONE: readonly never[] = [];
