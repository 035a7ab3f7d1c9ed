import { nameFile, nameResultItem, nameUserPart } from "./file-name.ts";
import type { AssistantMessage, ModelMessage, ToolMessage, ToolResultOutput, UserMessage } from "./message.ts";
import { storableJson } from "./storable.ts";

/** One piece of a transcript as text, the way a summary request shows it. */
export interface TranscriptItem {
  /** Who speaks: one short line in brackets. */
  readonly head: string;
  readonly body: string;
  readonly isUser: boolean;
}

/** The pieces of a message as text. Reasoning is left out: its conclusions stand in what follows it. */
export function transcriptItems(message: ModelMessage): TranscriptItem[] {
  switch (message.role) {
    case "user":
      return [item("[user]", userText(message), true)];
    case "assistant":
      return assistantItems(message);
    case "tool":
      return resultItems(message);
    case "system":
      return [item("[system]", message.content)];
  }
}

/** A user message as text, its files named. */
export function userText(message: UserMessage): string {
  return typeof message.content === "string" ? message.content : message.content.map(nameUserPart).join("\n");
}

/** What a tool answered, as text, its files named. */
export function outputText(output: ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return storableJson(output.value);
    case "execution-denied":
      return output.reason ?? "";
    case "content":
      return output.value.map(nameResultItem).join("\n");
    default:
      // A kind of a later version of the SDK.
      return storableJson(output);
  }
}

function assistantItems(message: AssistantMessage): TranscriptItem[] {
  if (typeof message.content === "string") return [item("[assistant]", message.content)];
  return message.content.flatMap((part): TranscriptItem[] => {
    switch (part.type) {
      case "text":
        return [item("[assistant]", part.text)];
      case "tool-call":
        return [item(`[call ${part.toolName} ${part.toolCallId}]`, storableJson(part.input))];
      case "tool-result":
        return [item(`[result ${part.toolName} ${part.toolCallId}]`, outputText(part.output))];
      case "file":
        return [item("[assistant]", nameFile("file", part.mediaType, undefined, part.filename))];
      default:
        return [];
    }
  });
}

function resultItems(message: ToolMessage): TranscriptItem[] {
  return message.content.flatMap((part): TranscriptItem[] => {
    if (part.type !== "tool-result") return [];
    const kind = RESULT_KINDS[part.output.type] ?? "result";
    return [item(`[${kind} ${part.toolName} ${part.toolCallId}]`, outputText(part.output))];
  });
}

function item(head: string, body: string, isUser = false): TranscriptItem {
  return { head, body, isUser };
}

const RESULT_KINDS: Readonly<Partial<Record<ToolResultOutput["type"], string>>> = {
  "error-text": "error",
  "error-json": "error",
  "execution-denied": "denied",
};
