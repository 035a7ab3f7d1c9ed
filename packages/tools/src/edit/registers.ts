import { decodePiece } from "../encoding/decode.ts";
import type { EncodingName } from "../encoding/names.ts";
import type { Row } from "./ops.ts";

const MAX_REGISTERS = 16;
export const REGISTER_MAX_LINES = 4096;
export const REGISTER_MAX_BYTES: number = 1024 * 1024;

/** Captured lines, without their endings, in the encoding of the file they came from. */
export interface Register {
  readonly encoding: EncodingName;
  readonly rows: readonly Uint8Array[];
}

/** The named registers of one session; of more than 16 the least recently used goes. */
export class RegisterStore {
  readonly #registers = new Map<string, Register>();

  get(name: string): Register | undefined {
    const register = this.#registers.get(name);
    if (register !== undefined) this.#touch(name, register);
    return register;
  }

  set(name: string, register: Register): void {
    this.#touch(name, register);
    if (this.#registers.size <= MAX_REGISTERS) return;
    const [oldest] = this.#registers.keys();
    if (oldest !== undefined) this.#registers.delete(oldest);
  }

  #touch(name: string, register: Register): void {
    this.#registers.delete(name);
    this.#registers.set(name, register);
  }
}

/** The rows for a file in `encoding`: the captured bytes where it is the same one, text to be encoded where not. */
export function rowsFor(register: Register, encoding: EncodingName): readonly Row[] {
  if (register.encoding === encoding) return register.rows;
  return register.rows.map((row) => decodePiece(row, register.encoding));
}
