/** Bytes 80 to 9F; those without a meaning of their own stand for the control characters of the same number. */
const UPPER_CONTROLS =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Windows-1252 to text. Not `TextDecoder`: that of Node 20 reads 80 to 9F as control characters. */
export function decodeWestern(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/[\u0080-\u009f]/g, (char) => UPPER_CONTROLS.charAt(char.charCodeAt(0) - 0x80));
}
