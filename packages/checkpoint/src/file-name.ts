import type { DataContent, ToolResultContent, UserMessage } from "./message.ts";

/** One line that stands for a file or an image that is not kept. */
export function nameUserPart(part: Exclude<UserMessage["content"], string>[number]): string {
  if (part.type === "text") return part.text;
  if (part.type === "image") return nameFile("image", part.mediaType, sizeOf(part.image));
  return nameFile("file", part.mediaType, sizeOf(part.data), part.filename);
}

export function nameResultItem(item: ToolResultContent): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "media":
      return nameFile("file", item.mediaType, sizeOf(item.data));
    case "file-data":
      return nameFile("file", item.mediaType, sizeOf(item.data), item.filename);
    case "image-data":
      return nameFile("image", item.mediaType, sizeOf(item.data));
    case "file-url":
      return nameFile("file", item.mediaType, undefined, item.url.slice(0, MAX_URL_CHARS));
    case "image-url":
      return nameFile("image", undefined, undefined, item.url.slice(0, MAX_URL_CHARS));
    case "file-id":
      return nameFile("file", undefined, undefined);
    case "image-file-id":
      return nameFile("image", undefined, undefined);
    case "custom":
      return "";
    default:
      // A kind of a later version of the SDK.
      return nameFile("file");
  }
}

export function nameFile(kind: "file" | "image", mediaType?: string, bytes?: number, name?: string): string {
  const size = bytes === undefined ? undefined : `${Math.ceil(bytes / 1024)} KB`;
  const facts = [name, mediaType, size].filter((fact) => fact !== undefined);
  return `[${[kind, ...facts].join(", ")}: not kept]`;
}

function sizeOf(data: DataContent | URL): number | undefined {
  if (data instanceof URL) return undefined;
  if (typeof data !== "string") return data.byteLength;
  return /^https?:/.test(data) ? undefined : Math.floor(data.length * 0.75);
}

const MAX_URL_CHARS = 200;
