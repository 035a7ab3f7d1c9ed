import { TextDecoder } from "node:util";
import { bomBytes, type EncodingName, type FileEncoding } from "./names.ts";
import { decodeWestern } from "./western.ts";

/** Decodes a stream of pieces of one file, from its first byte on; the byte order mark is left out. */
export interface StreamDecoder {
  /** Bytes of a character that is not complete yet wait for the next piece. */
  write(bytes: Uint8Array): string;
  /** What an incomplete character at the end of the file shows as. */
  end(): string;
}

/** Whole bytes as text; bytes that the encoding cannot explain become U+FFFD. */
export function decodeBytes(bytes: Uint8Array, encoding: FileEncoding): string {
  return decodePiece(bytes.subarray(bomBytes(encoding).length), encoding.name);
}

/** A piece that begins and ends at character borders and holds no byte order mark. */
export function decodePiece(bytes: Uint8Array, name: EncodingName): string {
  return pieceDecoder(name).decode(bytes);
}

export function createStreamDecoder(encoding: FileEncoding): StreamDecoder {
  const decoder = pieceDecoder(encoding.name);
  let toSkip = bomBytes(encoding).length;
  return {
    write: (bytes) => {
      const skipped = Math.min(toSkip, bytes.length);
      toSkip -= skipped;
      return decoder.decode(bytes.subarray(skipped), { stream: true });
    },
    end: () => decoder.decode(),
  };
}

interface PieceDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

function pieceDecoder(name: EncodingName): PieceDecoder {
  if (name === "windows-1252") return { decode: (bytes) => (bytes === undefined ? "" : decodeWestern(bytes)) };
  // A mark in the middle of a file is text, and the one at its start is cut off by its length.
  return new TextDecoder(name, { ignoreBOM: true });
}
