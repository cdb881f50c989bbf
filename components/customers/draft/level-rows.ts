import { countText } from "@/components/ui/value-text.ts";
import { type Level, plainLevelsSchema } from "@/lib/enforce/policy/levels.ts";
import { sayPeriod } from "@/lib/enforce/policy/words.ts";

const unitSeconds = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type Unit = keyof typeof unitSeconds;

/** A level as it is being typed. */
export interface LevelRow {
  /** Tells rows apart while they change. */
  readonly key: string;
  readonly count: string;
  readonly unit: Unit;
  readonly limit: string;
}

export interface RowProblem {
  readonly period?: string;
  readonly limit?: string;
}

export interface ReadRows {
  /** Undefined while the row is not valid. */
  readonly levels: readonly Level[] | undefined;
  /** By the key of the row. */
  readonly problems: ReadonlyMap<string, RowProblem>;
  /** What is wrong with all of them together. */
  readonly problem?: string | undefined;
}

export function rowsOf(levels: readonly Level[]): LevelRow[] {
  return levels.map((level, i) => rowOf(level, `${i}`));
}

/** The period in the largest unit that fits without a rest. */
export function rowOf({ limit, periodSeconds }: Level, key: string): LevelRow {
  const unit = unitFor(periodSeconds);
  return { key, count: String(periodSeconds / unitSeconds[unit]), unit, limit: countText(limit) };
}

/** A new row asks for the first usual period that is not there yet. */
export function addedRow(rows: readonly LevelRow[]): LevelRow {
  const taken = new Set(rows.map(secondsOf));
  const free = [60, 3_600, 86_400, 604_800].find((seconds) => !taken.has(seconds));
  const key = `${1 + Math.max(-1, ...rows.map((row) => Number(row.key)))}`;
  const unit = unitFor(free ?? 60);
  return { key, count: free === undefined ? "" : String(free / unitSeconds[unit]), unit, limit: "" };
}

export function secondsOf({ count, unit }: Pick<LevelRow, "count" | "unit">): number {
  return number(count) * unitSeconds[unit];
}

/** The level as far as both numbers can be read; whether it may be kept is another question. */
export function levelIn(row: LevelRow): Level | undefined {
  const level = { limit: number(row.limit), periodSeconds: secondsOf(row) };
  return level.limit >= 0 && level.periodSeconds > 0 ? level : undefined;
}

export function readRows(rows: readonly LevelRow[]): ReadRows {
  if (rows.length === 0)
    return {
      levels: undefined,
      problems: new Map(),
      problem: "Add a period, or go back to the tier's limits",
    };
  const levels = rows.map((row) => ({ limit: number(row.limit), periodSeconds: secondsOf(row) }));
  const parsed = plainLevelsSchema.safeParse(levels);
  if (parsed.success) return { levels: inOrder(parsed.data), problems: new Map() };
  const problems = new Map<string, RowProblem>();
  let problem: string | undefined;
  for (const { path, message } of parsed.error.issues) {
    const row = typeof path[0] === "number" ? rows[path[0]] : undefined;
    const field = path[1] === "limit" ? "limit" : "period";
    if (row) problems.set(row.key, { [field]: upper(message), ...problems.get(row.key) });
    else problem ??= upper(message);
  }
  return { levels: undefined, problems, problem };
}

/** By period, as Redis' hash is read, too. */
function inOrder(levels: readonly Level[]): Level[] {
  return levels.toSorted((a, b) => a.periodSeconds - b.periodSeconds);
}

export function areSame(one: readonly Level[] | null, other: readonly Level[] | null): boolean {
  if (one === null || other === null || one.length !== other.length) return one === other;
  const [mine, theirs] = [inOrder(one), inOrder(other)];
  return mine.every((own, i) => {
    const { limit, periodSeconds, period } = own;
    const level = theirs[i];
    return (
      level?.limit === limit &&
      level.periodSeconds === periodSeconds &&
      (level.period && sayPeriod(level)) === (period && sayPeriod(own))
    );
  });
}

function unitFor(seconds: number): Unit {
  const units = ["d", "h", "min"] as const;
  return units.find((unit) => seconds % unitSeconds[unit] === 0) ?? "s";
}

/** Accepts 10,000 and 10 000. NaN for other text. */
function number(text: string): number {
  const digits = text.replace(/[,\s_]/g, "");
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type ReadHash =
  | { readonly levels: readonly Level[]; readonly problem?: undefined }
  | { readonly levels?: undefined; readonly problem: string };

/** The hash as Redis holds it, period in seconds → limit. */
export function writeHash(levels: readonly Level[]): string {
  const pairs = inOrder(levels).map(({ limit, periodSeconds }) => `"${periodSeconds}": ${limit}`);
  return `{${pairs.join(", ")}}`;
}

/** Reads it back, held to the same rules as rows. */
export function readHash(text: string): ReadHash {
  const fields = parse(text);
  if (!fields) return { problem: 'Write JSON: {"60": 100, "3600": 1000}' };
  const levels: Level[] = [];
  for (const [period, limit] of Object.entries(fields)) {
    const shown = JSON.stringify(period.slice(0, 30));
    if (!/^\d+$/.test(period)) return { problem: `${shown} is not a period: use whole seconds` };
    if (!/^\d+$/.test(String(limit))) return { problem: `The limit of ${shown} is not a whole number` };
    levels.push({ limit: Number(limit), periodSeconds: Number(period) });
  }
  const parsed = plainLevelsSchema.safeParse(levels);
  if (parsed.success) return { levels: inOrder(parsed.data) };
  const [issue] = parsed.error.issues;
  const level = typeof issue?.path[0] === "number" ? levels[issue.path[0]] : undefined;
  const what = level ? `"${level.periodSeconds}": ` : "";
  return { problem: `${what}${issue?.message ?? "not valid"}` };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
