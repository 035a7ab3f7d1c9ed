// Pairing for Anthropic Messages: calls are blocks of an assistant message, results lead the user message after it.
import { type CleanParts, cleanParts, isBlank } from "./content.ts";
import { NO_ERROR_TEXT } from "./filled-output.ts";
import {
  INTERRUPTED_RESULT,
  type Matching,
  matchResults,
  type PairingOptions,
  type PairingProblem,
  type Slot,
  type Step,
} from "./match.ts";
import { textProblems, wellFormedValue } from "./well-formed.ts";
import { filledContent, isBlankPart } from "./wire-content.ts";

/** What this file reads of a message; `MessageParam` of the `@anthropic-ai/sdk` package is one. */
export interface AnthropicMessage {
  /** Messages of any other role than "user" and "assistant" pass. */
  readonly role: string;
  readonly content?: string | readonly AnthropicBlock[] | null | undefined;
}

export interface AnthropicBlock {
  readonly type: string;
  readonly id?: unknown;
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
  readonly is_error?: unknown;
}

export type { PairingOptions, PairingProblem, PairingProblemKind } from "./match.ts";

/**
 * Lists every violation of the pairing rule, in the order of the messages; empty means valid. Calls that the provider
 * runs itself (server tools, MCP) pass.
 */
export function checkPairing<M extends AnthropicMessage>(
  messages: readonly M[],
  options?: PairingOptions,
): PairingProblem[];
export function checkPairing(messages: readonly AnthropicMessage[], options: PairingOptions = {}): PairingProblem[] {
  const problems = [...matchAll(messages, options).problems];
  messages.forEach((message, index) => {
    problems.push(...contentProblems(message, index), ...textProblems(message, index));
  });
  return problems.sort((a, b) => a.index - b.index);
}

/** Returns messages that the API accepts; see `repairPairing` of the package's main entry. */
export function repairPairing<M extends AnthropicMessage>(messages: readonly M[], options?: PairingOptions): M[];
export function repairPairing(given: readonly AnthropicMessage[], options: PairingOptions = {}): AnthropicMessage[] {
  const messages = wellFormedValue(given);
  const { batches } = matchAll(messages, options);
  return messages.flatMap((message, index): AnthropicMessage[] => {
    if (!isTurn(message)) return [message];
    const { parts } = cleanBlocks(message, index);
    const slots = batches.get(index);
    if (slots !== undefined) {
      const results = slots.map(resultBlock);
      const asked = withContent(message, renameCalls(parts, slots));
      return hostsResults(messages[index + 1]) ? [asked] : [asked, { role: "user", content: results }];
    }
    const leading = hostsResults(message) ? (batches.get(index - 1) ?? []).map(resultBlock) : [];
    const content = [...leading, ...parts];
    return content.length === 0 ? [] : [withContent(message, content)];
  });
}

function matchAll(messages: readonly AnthropicMessage[], options: PairingOptions): Matching<AnthropicBlock> {
  const steps = messages.map((message, index): Step<AnthropicBlock> => {
    const blocks = blocksOf(message);
    const firstOther = blocks.findIndex((block) => !isResult(block));
    return {
      index,
      calls: blocks.flatMap((block) => (isCall(message, block) ? [{ id: String(block.id), index }] : [])),
      results: blocks.flatMap((block) =>
        isResult(block) ? [{ id: String(block.tool_use_id), index, value: block }] : [],
      ),
      resultsLead: message.role === "user" && (firstOther < 0 || !blocks.slice(firstOther).some(isResult)),
    };
  });
  return matchResults(steps, options);
}

function isTurn({ role }: AnthropicMessage): boolean {
  return role === "user" || role === "assistant";
}

function blocksOf({ content }: AnthropicMessage): readonly AnthropicBlock[] {
  return typeof content === "string" ? [textBlock(content)] : (content ?? []);
}

function textBlock(text: string): AnthropicBlock & { text: string } {
  return { type: "text", text };
}

function isCall(message: AnthropicMessage, block: AnthropicBlock): boolean {
  return message.role === "assistant" && block.type === "tool_use";
}

function isResult(block: AnthropicBlock): boolean {
  return block.type === "tool_result";
}

function hostsResults(message: AnthropicMessage | undefined): boolean {
  return message?.role === "user" && blocksOf(message).some(isResult);
}

function contentProblems(message: AnthropicMessage, index: number): readonly PairingProblem[] {
  if (!isTurn(message)) return [];
  if (typeof message.content === "string" && isBlank(message.content))
    return [{ kind: "empty-message", index, message: "The message has no content" }];
  const { problems: own } = cleanBlocks(message, index);
  const problems = hostsResults(message) ? own.filter(({ kind }) => kind !== "empty-message") : own;
  if (blocksOf(message).every((block) => !isResult(block) || filledResult(block) === block)) return problems;
  return [...problems, { kind: "empty-part", index, message: "The message has a result with an empty text" }];
}

// The blocks that stay where they are; results go where their calls are.
function cleanBlocks(message: AnthropicMessage, index: number): CleanParts<AnthropicBlock> {
  const own = blocksOf(message).filter((block) => !isResult(block));
  return cleanParts(own, index, isBlankPart);
}

// A string stays a string, and a message whose blocks are all as they were stays the same object.
function withContent(message: AnthropicMessage, blocks: readonly AnthropicBlock[]): AnthropicMessage {
  const content = message.content ?? [];
  if (typeof content === "string") return message;
  const same = blocks.length === content.length && blocks.every((block, at) => block === content[at]);
  return same ? message : { ...message, content: blocks };
}

function renameCalls(
  blocks: readonly AnthropicBlock[],
  slots: readonly Slot<AnthropicBlock>[],
): readonly AnthropicBlock[] {
  let next = 0;
  return blocks.map((block) => {
    const id = block.type === "tool_use" ? slots[next++]?.sentId : undefined;
    return id === undefined || id === block.id ? block : { ...block, id };
  });
}

function resultBlock({ id, sentId, answer }: Slot<AnthropicBlock>): AnthropicBlock {
  if (answer === undefined)
    return { type: "tool_result", tool_use_id: sentId, content: INTERRUPTED_RESULT, is_error: true };
  const block = filledResult(answer.value);
  return id === sentId ? block : { ...block, tool_use_id: sentId };
}

// An error without words is refused, and so is an empty text inside a result; an empty result is not.
function filledResult(block: AnthropicBlock): AnthropicBlock {
  const content = filledContent(block.content) ?? (block.is_error === true ? NO_ERROR_TEXT : emptied(block.content));
  return content === block.content ? block : { ...block, content };
}

function emptied(content: unknown): unknown {
  return Array.isArray(content) && content.length > 0 ? "" : content;
}
