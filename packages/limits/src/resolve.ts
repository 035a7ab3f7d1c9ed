import { isCount, KEPT_ENDS, quote } from "./budget.ts";
import { DEFAULT_LIMITS, type Limits, type PartialLimits } from "./limits.ts";
import { nearestName } from "./nearest.ts";

const BUDGET_NAMES: readonly string[] = ["search", "shell", "shellErr"];
const BUDGET_PARTS: readonly string[] = ["maxBytes", "maxLines", "keep"];
const NAMES: readonly string[] = [...Object.keys(DEFAULT_LIMITS), "resultMaxChars", "resultMaxTokens", "errorMaxChars"];

/** One value of the overrides; `part` is its name in a budget. */
interface Field {
  readonly name: string;
  readonly part?: string;
  readonly value: unknown;
}

/** `lower` may be at most `upper` less `gap`. */
interface Rule {
  readonly lower: string;
  readonly upper: string;
  readonly gap: 0 | 1;
}

const RULES: readonly Rule[] = [
  { lower: "readDefaultLines", upper: "readMaxLines", gap: 0 },
  { lower: "globLimit", upper: "globMaxLimit", gap: 0 },
  { lower: "bashMinTimeoutS", upper: "bashTimeoutS", gap: 0 },
  { lower: "bashTimeoutS", upper: "bashMaxTimeoutS", gap: 0 },
  // A spill is made from the capture: one that is not above the budget could never be fuller than the excerpt it backs.
  ...["shell", "shellErr"].flatMap((name): Rule[] => [
    { lower: `${name}.maxBytes`, upper: "captureMaxBytes", gap: 1 },
    { lower: `${name}.maxLines`, upper: "captureMaxLines", gap: 1 },
    { lower: `${name}.maxBytes`, upper: "spillMaxBytes", gap: 1 },
  ]),
];

const DEFAULT_VALUES: ReadonlyMap<string, unknown> = valuesOf(fieldsOf(DEFAULT_LIMITS));

/**
 * The default limits with the overrides merged in, budgets field by field; frozen.
 *
 * @throws RangeError that names each refused field, its value and the accepted range, or the nearest known name.
 */
export function resolveLimits(overrides: PartialLimits = {}): Limits {
  const fields = fieldsOf(overrides);
  const problems = fields.flatMap((field) => problemOf(field) ?? []);
  const given = valuesOf(fields);
  if (problems.length === 0) problems.push(...brokenRules(given));
  if (problems.length > 0) throw new RangeError(`Invalid limits: ${problems.join("; ")}`);
  return merge(given);
}

function fieldsOf(overrides: unknown): Field[] {
  if (!isRecord(overrides)) throw new RangeError(`Invalid limits: ${quote(overrides)} is no object of limits`);
  return Object.entries(overrides).flatMap(([name, value]): Field[] => {
    if (!BUDGET_NAMES.includes(name) || !isRecord(value)) return [{ name, value }];
    return Object.entries(value).map(([part, inner]) => ({ name, part, value: inner }));
  });
}

// An undefined value is one that was not given.
function valuesOf(fields: readonly Field[]): Map<string, unknown> {
  return new Map(fields.filter(({ value }) => value !== undefined).map((field) => [pathOf(field), field.value]));
}

function pathOf({ name, part }: Pick<Field, "name" | "part">): string {
  return part === undefined ? name : `${name}.${part}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param prefix what stands in front of a known name in the path of the field. */
function unknownField(path: string, name: string, known: readonly string[], prefix = ""): string {
  const nearest = nearestName(name, known);
  const accepted = nearest === undefined ? `accepted: ${known.join(", ")}` : `did you mean "${prefix}${nearest}"`;
  return `unknown field "${path}", ${accepted}`;
}

function problemOf({ name, part, value }: Field): string | undefined {
  const path = pathOf({ name, ...(part !== undefined && { part }) });
  if (!NAMES.includes(name)) return unknownField(name, name, NAMES);
  if (part !== undefined && !BUDGET_PARTS.includes(part)) {
    return unknownField(path, part, BUDGET_PARTS, `${name}.`);
  }
  if (value === undefined) return undefined;
  const refusal = `"${path}" is ${quote(value)}, accepted:`;
  if (part === "keep") {
    if (KEPT_ENDS.some((end) => end === value)) return undefined;
    return `${refusal} ${KEPT_ENDS.map((end) => `"${end}"`).join(", ")}`;
  }
  if (part === undefined && BUDGET_NAMES.includes(name)) return `${refusal} an object of ${BUDGET_PARTS.join(", ")}`;
  if (isCount(value, 1)) return undefined;
  return `${refusal} a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;
}

// Blames what was overridden: the defaults keep the rules, so each broken one has an override on one side at least.
function brokenRules(given: ReadonlyMap<string, unknown>): string[] {
  const problems: string[] = [];
  for (const path of new Set(RULES.flatMap(({ lower, upper }) => [lower, upper]))) {
    if (!given.has(path)) continue;
    const value = numberAt(path, given);
    const floors = RULES.filter((rule) => rule.upper === path).map((rule) => bound(rule.lower, rule.gap, given));
    const ceilings = RULES.filter((rule) => rule.lower === path).map((rule) => bound(rule.upper, -rule.gap, given));
    const floor = floors.reduce((left, right) => (right.value > left.value ? right : left), { value: 1, why: "" });
    const ceiling = ceilings.reduce((left, right) => (right.value < left.value ? right : left), {
      value: Number.MAX_SAFE_INTEGER,
      why: "",
    });
    if (value >= floor.value && value <= ceiling.value) continue;
    const why = value < floor.value ? floor.why : ceiling.why;
    problems.push(`"${path}" is ${value}, accepted: a whole number from ${floor.value} to ${ceiling.value} (${why})`);
  }
  return problems;
}

function bound(path: string, offset: number, given: ReadonlyMap<string, unknown>): { value: number; why: string } {
  const value = numberAt(path, given);
  return { value: value + offset, why: `${path} is ${value}` };
}

function numberAt(path: string, given: ReadonlyMap<string, unknown>): number {
  const value = given.get(path) ?? DEFAULT_VALUES.get(path);
  return typeof value === "number" ? value : Number.NaN;
}

function merge(given: ReadonlyMap<string, unknown>): Limits {
  const merged: Record<string, unknown> = {};
  for (const [path, value] of [...DEFAULT_VALUES, ...given]) {
    const [name = "", part] = path.split(".");
    if (part === undefined) merged[name] = value;
    else merged[name] = { ...(isRecord(merged[name]) ? merged[name] : {}), [part]: value };
  }
  for (const name of BUDGET_NAMES) Object.freeze(merged[name]);
  // Every value was checked above, and the defaults fill what was not given.
  return Object.freeze(merged) as unknown as Limits;
}
