import { at } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { counted, largestLimit, longestPeriodSeconds, mostLevels } from "../policy/bounds.ts";
import type { StoredLimits } from "../policy/client.ts";
import { isTooNear, type Level } from "../policy/levels.ts";

/** Reads what is stored of a customer without a replica. Undefined if nothing is. */
export async function readStoredLimits(redis: Connection, id: CustomerId): Promise<StoredLimits | undefined> {
  const [text, fields, suspension] = await Promise.all([
    redis.get(keys.tier(id)).catch(onWrongType(null)),
    redis.hgetall(keys.override(id)).catch(onWrongType({})),
    redis.get(keys.suspension(id)).catch(onWrongType(null)),
  ]);
  const tier = text === null ? undefined : readTier(text);
  const override = readOverride(Object.entries(fields)).levels;
  if (suspension !== null) return { tier, override, isSuspended: true };
  return tier === undefined && override === undefined ? undefined : { tier, override };
}

/** A key of another type counts as absent. */
function onWrongType<T>(absent: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return absent;
    throw error;
  };
}

/** Reads a customer's tier, which any program may have written. Undefined if no policy can have a tier of that name. */
export function readTier(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,31}$/.test(name) ? name : undefined;
}

export interface Override {
  /** By period. Undefined without a valid level. */
  readonly levels: readonly Level[] | undefined;
  /** Why fields are not enforced, a sentence each. */
  readonly flags: readonly string[];
}

/** Reads a customer's hash of period → limit, which any program may have written. */
export function readOverride(fields: Iterable<readonly [period: string, limit: string]>): Override {
  const flags: string[] = [];
  const levels: Level[] = [];
  for (const [period, limit] of fields) {
    const level = readLevel(period, limit);
    if (level) levels.push(level);
    else
      flags.push(
        `${shown(period)}: ${shown(limit)} is no level: period in seconds from 1 → limit from 0, whole numbers`,
      );
  }
  levels.sort((a, b) => a.periodSeconds - b.periodSeconds);
  const kept: Level[] = [];
  for (const level of levels) {
    const why = whyNotEnforced(level, kept);
    if (why) flags.push(`the level of ${counted(level.periodSeconds)} s ${why}`);
    else kept.push(level);
  }
  return { levels: kept.length > 0 ? kept : undefined, flags };
}

function whyNotEnforced({ periodSeconds }: Level, shorter: readonly Level[]): string | undefined {
  if (shorter.length === mostLevels) return `is one too many: ${mostLevels} are enforced`;
  const other = shorter.at(-1)?.periodSeconds;
  if (other === undefined || !isTooNear(other, periodSeconds)) return undefined;
  return `is not enforced: its windows could share the counter of ${counted(other)} s`;
}

/** The fields and values of a hash, which follow each other. */
export function* inPairs(flat: readonly string[]): Generator<[field: string, value: string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [at(flat, i), at(flat, i + 1)];
}

/** The fields of the hash as JSON. */
export function writeOverride(levels: readonly Level[]): string {
  return JSON.stringify(
    Object.fromEntries(levels.map(({ limit, periodSeconds }) => [String(periodSeconds), String(limit)])),
  );
}

function readLevel(period: string, limit: string): Level | undefined {
  const most = limit === "0" ? 0 : readWhole(limit, largestLimit);
  const periodSeconds = readWhole(period, longestPeriodSeconds);
  return most === undefined || periodSeconds === undefined ? undefined : { limit: most, periodSeconds };
}

/** Reads a whole number from 1. Undefined for other text, and for larger numbers. */
function readWhole(text: string, most: number): number | undefined {
  const number = /^[1-9]\d{0,12}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= most ? number : undefined;
}

function shown(text: string): string {
  const printable = text.replace(/[^ -~]/g, "\ufffd");
  return `"${printable.length > 30 ? `${printable.slice(0, 30)}…` : printable}"`;
}
