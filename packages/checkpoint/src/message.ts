// The AI SDK's message shapes, written down structurally so that this package needs `ai` only in its tests.

export type JSONValue = null | string | number | boolean | JSONObject | JSONValue[];
export type JSONObject = { [key: string]: JSONValue | undefined };
export type ProviderOptions = Record<string, JSONObject>;
export type DataContent = string | Uint8Array | ArrayBuffer;

export interface TextPart {
  type: "text";
  text: string;
  providerOptions?: ProviderOptions;
}

export interface ImagePart {
  type: "image";
  image: DataContent | URL;
  mediaType?: string;
  providerOptions?: ProviderOptions;
}

export interface FilePart {
  type: "file";
  data: DataContent | URL;
  mediaType: string;
  filename?: string;
  providerOptions?: ProviderOptions;
}

export interface ReasoningPart {
  type: "reasoning";
  text: string;
  providerOptions?: ProviderOptions;
}

export interface ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerOptions?: ProviderOptions;
  providerExecuted?: boolean;
}

export interface ToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: ToolResultOutput;
  providerOptions?: ProviderOptions;
}

export interface ToolApprovalRequest {
  type: "tool-approval-request";
  approvalId: string;
  toolCallId: string;
  signature?: string;
  inputSchemaInput?: unknown;
}

export interface ToolApprovalResponse {
  type: "tool-approval-response";
  approvalId: string;
  approved: boolean;
  reason?: string;
  providerExecuted?: boolean;
}

export type ToolResultOutput =
  | { type: "text"; value: string; providerOptions?: ProviderOptions }
  | { type: "json"; value: JSONValue; providerOptions?: ProviderOptions }
  | { type: "error-text"; value: string; providerOptions?: ProviderOptions }
  | { type: "error-json"; value: JSONValue; providerOptions?: ProviderOptions }
  | { type: "execution-denied"; reason?: string; providerOptions?: ProviderOptions }
  | { type: "content"; value: ToolResultContent[] };

export type ToolResultContent =
  | { type: "text"; text: string; providerOptions?: ProviderOptions }
  | { type: "media"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string; filename?: string; providerOptions?: ProviderOptions }
  | { type: "file-url"; url: string; mediaType?: string; providerOptions?: ProviderOptions }
  | { type: "file-id"; fileId: string | Record<string, string>; providerOptions?: ProviderOptions }
  | { type: "image-data"; data: string; mediaType: string; providerOptions?: ProviderOptions }
  | { type: "image-url"; url: string; providerOptions?: ProviderOptions }
  | { type: "image-file-id"; fileId: string | Record<string, string>; providerOptions?: ProviderOptions }
  | { type: "custom"; providerOptions?: ProviderOptions };

export interface SystemMessage {
  role: "system";
  content: string;
  providerOptions?: ProviderOptions;
}

export interface UserMessage {
  role: "user";
  content: string | Array<TextPart | ImagePart | FilePart>;
  providerOptions?: ProviderOptions;
}

export type AssistantPart = TextPart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart | ToolApprovalRequest;

export interface AssistantMessage {
  role: "assistant";
  content: string | AssistantPart[];
  providerOptions?: ProviderOptions;
}

export interface ToolMessage {
  role: "tool";
  content: Array<ToolResultPart | ToolApprovalResponse>;
  providerOptions?: ProviderOptions;
}

export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Any major version's message: parts of an unknown type pass through the functions of this package untouched. */
export interface MessageLike {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly { readonly type: string }[];
}

/** One message of a transcript under the id that a checkpoint's `throughId` can name. */
export interface Entry<M extends MessageLike = ModelMessage> {
  readonly id: string;
  readonly message: M;
  /** Written by the host, not by the person: never taken for the newest user message. */
  readonly note?: boolean;
}
