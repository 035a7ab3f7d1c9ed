// Pairing for the messages of OpenAI's Chat Completions, which many other servers take as well.
import { checkItems, type ItemFormat, type Placed, repairItems } from "./items.ts";
import { INTERRUPTED_RESULT, type PairingOptions, type PairingProblem } from "./match.ts";
import { filledContent } from "./wire-content.ts";

/** What this file reads of a message; `ChatCompletionMessageParam` of the `openai` package is one. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  /** Some local servers give calls no id. */
  readonly tool_calls?:
    | readonly { readonly id?: string | undefined; readonly type?: string | undefined }[]
    | null
    | undefined;
  readonly tool_call_id?: string | null | undefined;
}

export type { PairingOptions, PairingProblem, PairingProblemKind } from "./match.ts";

/** Lists every violation of the pairing rule, in the order of the messages; empty means valid. */
export function checkPairing<M extends ChatMessage>(messages: readonly M[], options?: PairingOptions): PairingProblem[];
export function checkPairing(messages: readonly ChatMessage[], options?: PairingOptions): PairingProblem[] {
  return checkItems(messages, FORMAT, options);
}

/** Returns messages that the API accepts; see `repairPairing` of the package's main entry. */
export function repairPairing<M extends ChatMessage>(messages: readonly M[], options?: PairingOptions): M[];
export function repairPairing(messages: readonly ChatMessage[], options?: PairingOptions): ChatMessage[] {
  return repairItems(messages, FORMAT, options);
}

const FORMAT: ItemFormat<ChatMessage> = {
  callIds: (message) => (message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id ?? "") : []),
  resultId: (message) => (message.role === "tool" ? (message.tool_call_id ?? "") : undefined),
  isSameStep: () => false,
  clean: (items) => {
    const problems: PairingProblem[] = [];
    const kept = items.flatMap(({ item, index }): Placed<ChatMessage>[] => {
      const filled = filledMessage(item);
      if (filled === undefined) problems.push({ kind: "empty-message", index, message: "The message has no content" });
      else if (filled !== item) problems.push({ kind: "empty-part", index, message: "The message has an empty part" });
      return filled === undefined ? [] : [{ item: filled, index }];
    });
    return { items: kept, problems };
  },
  withCallIds: (message, ids) => ({
    ...message,
    tool_calls: (message.tool_calls ?? []).map((call, at) => ({ ...call, id: ids[at] ?? call.id })),
  }),
  withResultId: (message, id) => ({ ...message, tool_call_id: id }),
  interrupted: (_, id): ChatMessage => ({ role: "tool", tool_call_id: id, content: INTERRUPTED_RESULT }),
};

// A tool may well answer nothing; anyone else has something to say, or calls.
function filledMessage(message: ChatMessage): ChatMessage | undefined {
  if (message.role === "tool" || message.role === "function") return message;
  const { tool_calls: calls, ...rest } = message;
  const told = message.role === "assistant" && calls?.length === 0 ? rest : message;
  const content = filledContent(message.content);
  if (content === undefined && !hasMore(told)) return undefined;
  if (content === undefined) return Array.isArray(message.content) ? { ...told, content: null } : told;
  return content === message.content ? told : { ...told, content };
}

function hasMore(message: ChatMessage): boolean {
  return message.role === "assistant" && MORE.some((field) => (Reflect.get(message, field) ?? undefined) !== undefined);
}

/** What an assistant message may hold besides its content. */
const MORE = ["tool_calls", "function_call", "refusal", "audio"];
