import { counted, largestLimit, longestPeriodSeconds, mostLevels } from "../policy/bounds.ts";
import { isTooNear, type Level } from "../policy/levels.ts";

export interface Override {
  /** By period; nothing when there is no level to obey. */
  readonly levels: readonly Level[] | undefined;
  /** What stands there and is not obeyed, a sentence each. */
  readonly flags: readonly string[];
}

/** Reads a customer's hash of period → limit, which anybody may have written. */
export function readOverride(fields: Iterable<readonly [period: string, limit: string]>): Override {
  const flags: string[] = [];
  const levels: Level[] = [];
  for (const [period, limit] of fields) {
    const level = readLevel(period, limit);
    if (level) levels.push(level);
    else
      flags.push(
        `${shown(period)}: ${shown(limit)} is no level: period in seconds → limit, whole numbers from 1`,
      );
  }
  levels.sort((a, b) => a.periodSeconds - b.periodSeconds);
  const kept: Level[] = [];
  for (const level of levels) {
    const why = whyNot(level, kept);
    if (why) flags.push(`the level of ${counted(level.periodSeconds)} s ${why}`);
    else kept.push(level);
  }
  return { levels: kept.length > 0 ? kept : undefined, flags };
}

function whyNot({ periodSeconds }: Level, shorter: readonly Level[]): string | undefined {
  if (shorter.length === mostLevels) return `is one too many: ${mostLevels} are obeyed`;
  const other = shorter.at(-1)?.periodSeconds;
  if (other === undefined || !isTooNear(other, periodSeconds)) return undefined;
  return `is not obeyed: its windows could share the counter of ${counted(other)} s`;
}

/** The hash as JSON of its fields. */
export function writeOverride(levels: readonly Level[]): string {
  return JSON.stringify(
    Object.fromEntries(levels.map(({ limit, periodSeconds }) => [String(periodSeconds), String(limit)])),
  );
}

function readLevel(period: string, limit: string): Level | undefined {
  const level = {
    limit: readWhole(limit, largestLimit),
    periodSeconds: readWhole(period, longestPeriodSeconds),
  };
  return level.limit > 0 && level.periodSeconds > 0 ? level : undefined;
}

/** 0 for what is none, or too large. */
function readWhole(text: string, most: number): number {
  const number = /^[1-9]\d{0,12}$/.test(text) ? Number(text) : 0;
  return number <= most ? number : 0;
}

function shown(text: string): string {
  const printable = text.replace(/[^ -~]/g, "\ufffd");
  return `"${printable.length > 30 ? `${printable.slice(0, 30)}…` : printable}"`;
}
