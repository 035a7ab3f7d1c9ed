// Pure: text to ops.
import { ToolError } from "../error.ts";
import { parseHeader } from "../tag.ts";
import type { EditScript, Op, SpanTarget, Target } from "./ops.ts";

export interface ParseLimits {
  /** UTF-8 bytes of the whole text. Default 262 144. */
  readonly maxBytes?: number;
  /** Default 200. */
  readonly maxOps?: number;
}

/**
 * Reads the text of an Edit's `ops`.
 * @throws ToolError EDIT_PARSE_FAILED (`details.line`, the line of `ops`), EDIT_RANGE_INVALID for a reversed span or line 0,
 * INVALID_ARGUMENT over the limits.
 */
export function parseOps(text: string, { maxBytes = 262_144, maxOps = 200 }: ParseLimits = {}): EditScript {
  assertSize(text, maxBytes);
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const first = Math.max(
    0,
    lines.findIndex((line) => line.trim() !== ""),
  );
  const header = parseHeader(lines[first] ?? "");
  const ops = parseLines(lines, header === undefined ? first : first + 1);
  if (ops.length === 0) throw failed(1, "There is no op", 'begin a line with PUT, CUT, REM or MV, like "PUT >$:"');
  if (ops.length > maxOps) {
    throw new ToolError("INVALID_ARGUMENT", `"ops" holds ${ops.length} ops and may hold ${maxOps}`, {
      next: "send them in several calls, each with the tag that the one before returned",
      details: { argument: "ops", ops: ops.length, maxOps },
    });
  }
  assertFileOps(ops);
  return { ...(header !== undefined && { header }), ops };
}

function assertSize(text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return;
  throw new ToolError("INVALID_ARGUMENT", `"ops" has ${bytes} bytes and may have ${maxBytes}`, {
    next: "send them in several calls, or use Write for a whole file",
    details: { argument: "ops", bytes, maxBytes },
  });
}

function parseLines(lines: readonly string[], from: number): Op[] {
  const ops: Op[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const body = bodyFrom(lines, at + 1);
    ops.push(parseOp(line.trim(), at + 1, body));
    at += 1 + body.length;
  }
  return ops;
}

function bodyFrom(lines: readonly string[], from: number): readonly string[] {
  let to = from;
  while (to < lines.length && lines[to]?.startsWith("+")) to += 1;
  return lines.slice(from, to).map((line) => line.slice(1));
}

function parseOp(source: string, line: number, body: readonly string[]): Op {
  const [keyword = ""] = source.split(/\s/, 1);
  const rest = source.slice(keyword.length).trim();
  if (keyword === "PUT") return parsePut(source, rest, line, body);
  if (keyword === "CUT" || keyword === "REM" || keyword === "MV") {
    if (body.length > 0) throw bodyRefused(source, line);
    if (keyword === "CUT") return parseCut(source, rest, line);
    return keyword === "REM" ? parseRemove(source, rest, line) : parseMove(source, rest, line);
  }
  throw notAnOp(source, line);
}

function parsePut(source: string, rest: string, line: number, body: readonly string[]): Op {
  if (!rest.endsWith(":")) {
    const { target, register } = parseOperands(source, rest, line);
    if (body.length > 0) throw bodyRefused(source, line);
    if (register === undefined && isSpan(target)) {
      const next = `write "${source}:" with a body to replace the lines, or name a register: "${source} @name"`;
      throw failed(line, `"${source}" has neither a colon nor a register`, next);
    }
    return { kind: "paste", source, target, ...(register !== undefined && { register }) };
  }
  const { target, register } = parseOperands(source, rest.slice(0, -1).trim(), line);
  if (register !== undefined) {
    throw failed(line, `"${source}" has both a register and a colon`, `leave the colon out to paste @${register}`);
  }
  if (body.length === 0) throw bodyMissing(source, target, line);
  return { kind: "put", source, target, body };
}

function parseCut(source: string, rest: string, line: number): Op {
  if (rest.endsWith(":")) throw failed(line, `"${source}" takes no colon and no body`, "leave the colon out");
  const { target, register } = parseOperands(source, rest, line);
  if (!isSpan(target)) throw failed(line, `"${source}" names a gap`, 'cut lines, like "CUT 3.=5" or "CUT 3*"');
  return { kind: "cut", source, target, ...(register !== undefined && { register }) };
}

function parseRemove(source: string, rest: string, line: number): Op {
  if (rest !== "")
    throw failed(line, `"${source}" has something after REM`, 'write "REM" alone, it deletes the file of "path"');
  return { kind: "remove", source };
}

function parseMove(source: string, rest: string, line: number): Op {
  const destination = /^"(.+)"$/.exec(rest)?.[1] ?? rest;
  if (destination === "") throw failed(line, '"MV" names no path', 'write "MV new/path.txt"');
  return { kind: "move", source, destination };
}

function parseOperands(
  source: string,
  rest: string,
  line: number,
): { readonly target: Target; readonly register?: string } {
  const at = rest.indexOf("@");
  const target = parseTarget(source, (at === -1 ? rest : rest.slice(0, at)).trim(), line);
  if (at === -1) return { target };
  const register = rest.slice(at + 1).trim();
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(register)) {
    throw failed(line, `"@${register}" is no register name`, 'use 1 to 32 letters, digits, "-" and "_"');
  }
  return { target, register };
}

function parseTarget(source: string, text: string, line: number): Target {
  if (/^>\s*\$$/.test(text)) return { kind: "end" };
  const match = /^([<>]?)\s*(\d{1,15})(\*?)(?:\s*\.=\s*(\d{1,15}))?$/.exec(text);
  if (match === null) throw badTarget(source, text, line);
  const [, side, firstText = "", star, lastText] = match;
  const first = lineNumber(source, firstText);
  if (side !== "" && lastText !== undefined) throw badTarget(source, text, line);
  if (star === "*" && (lastText !== undefined || side === "<")) throw badTarget(source, text, line);
  if (side === "<") return { kind: "before", line: first };
  if (side === ">") return star === "*" ? { kind: "after-block", line: first } : { kind: "after", line: first };
  if (star === "*") return { kind: "block", line: first };
  if (lastText === undefined) throw badTarget(source, text, line);
  const last = lineNumber(source, lastText);
  if (last < first) {
    throw new ToolError("EDIT_RANGE_INVALID", `"${source}" ends before it begins`, {
      next: `write ${last}.=${first}, the smaller line first`,
      details: { op: source, first, last },
    });
  }
  return { kind: "range", first, last };
}

function lineNumber(source: string, text: string): number {
  const line = Number(text);
  if (line >= 1) return line;
  throw new ToolError("EDIT_RANGE_INVALID", `"${source}" names line 0, lines count from 1`, {
    next: 'insert at the top with "PUT <1:"',
    details: { op: source },
  });
}

function isSpan(target: Target): target is SpanTarget {
  return target.kind === "range" || target.kind === "block";
}

/** `REM` stands alone, `MV` comes once. */
function assertFileOps(ops: readonly Op[]): void {
  const moves = ops.filter((op) => op.kind === "move");
  if (moves.length > 1)
    throw new ToolError("EDIT_PARSE_FAILED", "A file can be renamed once in a call", { next: "keep one MV" });
  if (ops.length > 1 && ops.some((op) => op.kind === "remove")) {
    throw new ToolError("EDIT_PARSE_FAILED", "REM deletes the file, other ops beside it have no effect", {
      next: "send REM alone, or the other ops without it",
    });
  }
}

function badTarget(source: string, text: string, line: number): ToolError {
  if (source.startsWith("PUT") && /^[<>]?\s*[\d$].*?:\s*\S/.test(text)) {
    return failed(
      line,
      `"${clip(source)}" has text behind its colon`,
      'end the line at the colon and give the new text in rows of its own that begin with "+"',
    );
  }
  if (/\d\s*\.=\s*\$$/.test(text)) {
    return failed(line, `"${source}" ends at $`, "name the last line by its number, Read tells how many there are");
  }
  if (/\d{16}/.test(text)) return failed(line, `"${clip(source)}" names a line that no file has`, "use Read's numbers");
  const [first = "", last] = text.match(/\d+/g) ?? [];
  const range = first === "" ? "" : `write ${first}.=${last ?? first} for lines ${first} to ${last ?? first}`;
  const next =
    first === ""
      ? "name lines like 3.=5, a block like 3*, or a gap like <3, >3 or >$"
      : last === undefined
        ? `${range}, <${first} or >${first} for the gap before or after it`
        : range;
  return failed(line, `"${clip(source)}" names no lines`, next);
}

function bodyMissing(source: string, target: Target, line: number): ToolError {
  const put = source.slice(0, -1).trim();
  const next = isSpan(target)
    ? `give the new text in rows that begin with "+"; to delete the lines use "CUT${put.slice(3)}"`
    : 'give the new text in rows that begin with "+", a bare "+" is an empty line';
  return failed(line, `"${source}" has no body`, next);
}

function bodyRefused(source: string, line: number): ToolError {
  const next = source.startsWith("PUT") ? `write "${source}:" if the rows are its new text` : "take the rows away";
  return failed(line, `"${source}" takes no body, but rows follow it`, next);
}

function notAnOp(source: string, line: number): ToolError {
  const what = `Line ${line} of ops, "${clip(source)}", is no op`;
  if (source.startsWith("+"))
    return failed(line, what, 'a "+" row must follow its PUT without a gap; a bare "+" is an empty line');
  if (source.startsWith("-"))
    return failed(line, what, "there are no - rows: the lines to go are named by PUT N.=M: or CUT N.=M");
  if (source.startsWith("[")) return failed(line, what, "a [path#TAG] line may only come first, one file a call");
  return failed(
    line,
    what,
    'there are no context rows: each row of new text begins with "+", each op with PUT, CUT, REM or MV',
  );
}

function failed(line: number, what: string, next: string): ToolError {
  return new ToolError("EDIT_PARSE_FAILED", what, { next, details: { line } });
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
