import { isDeepStrictEqual } from "node:util";
import { at, madeOnce } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { counted, largestLimit, longestPeriodSeconds, mostLevels } from "../policy/bounds.ts";
import type { SharedOverride, StoredLimits } from "../policy/client.ts";
import { isTooNear, type Level, plainLevelsSchema } from "../policy/levels.ts";
import { parseObject } from "../policy/stored.ts";
import {
  groupProblem,
  inOrderOfWinning,
  isCustomerId,
  isPattern,
  patternMatcher,
  patternProblem,
} from "./id.ts";
import { type OwnTier, readTier, readTierEnd, tierAt } from "./tier.ts";

/** Reads what is stored of a customer without a replica. Undefined if nothing is. */
export async function readStoredLimits(redis: Connection, id: CustomerId): Promise<StoredLimits | undefined> {
  const [own, fields, suspension] = await Promise.all([
    readStoredTier(redis, id),
    redis.hgetall(keys.override(id)).catch(onWrongType({})),
    redis.get(keys.suspension(id)).catch(onWrongType(null)),
  ]);
  const tier = own?.name;
  const override = readOverride(Object.entries(fields)).levels;
  if (suspension !== null) return { tier, override, isSuspended: true };
  return tier === undefined && override === undefined ? undefined : { tier, override };
}

/** A customer's tier, with what is left of it in ms. */
export async function readStoredTier(redis: Connection, id: CustomerId): Promise<OwnTier | undefined> {
  const [text, end, tierMs, endMs] = await Promise.all([
    redis.get(keys.tier(id)).catch(onWrongType(null)),
    redis.get(keys.tierEnd(id)).catch(onWrongType(null)),
    redis.pttl(keys.tier(id)),
    redis.pttl(keys.tierEnd(id)),
  ]);
  const name = text === null ? undefined : readTier(text);
  if (name === undefined) return undefined;
  const follows = end === null ? undefined : readTierEnd(end);
  const endsAt = (leftMs: number) => (leftMs < 0 ? Number.POSITIVE_INFINITY : leftMs);
  return tierAt({ name, endsAt: endsAt(tierMs) }, follows && { ...follows, endsAt: endsAt(endMs) }, 0);
}

/** A key of another type counts as absent. */
function onWrongType<T>(absent: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return absent;
    throw error;
  };
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

/** What a node reads of a shared override. The rest is for the console. */
interface StoredOverride extends Omit<SharedOverride, "endsAt"> {
  /** Ms of Redis' clock; null for never. */
  readonly expiresAt: number | null;
  /** Names the ids of a group. */
  readonly digest: string | undefined;
}

/** Reads a field of the hash of shared overrides, which any program may have written. */
function readStored(name: string, text: string): StoredOverride | undefined {
  const { levels, tier, expiresAt, members } = parseObject(text) ?? {};
  const from = isPattern(name) ? "pattern" : "group";
  if ((from === "pattern" ? patternProblem(name) : groupProblem(name)) !== undefined) return undefined;
  const own = plainLevelsSchema.safeParse(levels);
  if (!own.success && typeof tier !== "string") return undefined;
  const { digest } = (typeof members === "object" && members) as { digest?: unknown };
  return {
    ...{ from, name, levels: own.success ? own.data : undefined },
    tier: own.success || typeof tier !== "string" ? undefined : tier,
    expiresAt: typeof expiresAt === "number" ? expiresAt : null,
    digest: typeof digest === "string" ? digest : undefined,
  };
}

/** The ids of a group, as they are stored. */
export const writeMembers = (ids: readonly string[]): string => ids.join("\n");

export function readMembers(text: string): CustomerId[] {
  return text.split("\n").filter(isCustomerId);
}

/** Customers whose overrides are remembered. Beyond them, remembering starts again. */
const mostRemembered = 50_000;
const none: readonly SharedOverride[] = Object.freeze([]);

interface StoredGroup {
  readonly digest: string;
  readonly ids: readonly CustomerId[];
}

/** Overrides of groups and patterns in memory. They are few, and read in one piece. */
export class SharedOverrides {
  readonly #log: (line: string) => void;
  #hash: Readonly<Record<string, string>> = {};
  #groups: ReadonlyMap<string, StoredGroup> = new Map();
  #byMember: ReadonlyMap<CustomerId, readonly SharedOverride[]> = new Map();
  #patterns: readonly { readonly override: SharedOverride; readonly matches: (id: string) => boolean }[] = [];
  readonly #found = new Map<CustomerId, readonly SharedOverride[]>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(log: (line: string) => void = () => {}) {
    this.#log = log;
  }

  /** Overrides that have the customer, in the order in which they win: groups by name, then the most exact pattern first. */
  of(id: CustomerId): readonly SharedOverride[] {
    if (this.#byMember.size === 0 && this.#patterns.length === 0) return none;
    const known = this.#found.get(id);
    if (known) return known;
    if (this.#found.size >= mostRemembered) this.#found.clear();
    const found = this.#find(id);
    this.#found.set(id, found);
    return found;
  }

  #find(id: CustomerId): readonly SharedOverride[] {
    const ofGroups = this.#byMember.get(id) ?? none;
    const ofPatterns = this.#patterns.flatMap(({ override, matches }) => (matches(id) ? [override] : []));
    return ofPatterns.length === 0 ? ofGroups : [...ofGroups, ...ofPatterns];
  }

  /** The ids of a group, as they were last read. */
  membersOf(group: string): readonly CustomerId[] {
    return this.#groups.get(group)?.ids ?? [];
  }

  /** Returns whether anything has changed. One reading at a time: the caller's view is never older than its call. */
  read(redis: Connection): Promise<boolean> {
    const reading = this.#reading.then(() => this.#read(redis));
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #read(redis: Connection): Promise<boolean> {
    const hash = await redis.hgetall(keys.sharedOverrides()).catch(unlessForeign);
    if (isDeepStrictEqual(hash, this.#hash)) return false;
    const stored = Object.entries(hash).flatMap(([name, text]) => readStored(name, text) ?? []);
    const groups = new Map<string, StoredGroup>();
    for (const { name, from, digest } of stored) {
      if (from !== "group" || digest === undefined) continue;
      const group = await this.#readGroup(redis, name, digest);
      if (group) groups.set(name, group);
    }
    const lead = stored.some(({ expiresAt }) => expiresAt !== null)
      ? performance.now() - (await redisNow(redis))
      : 0;
    await this.#take(stored, groups, lead);
    this.#hash = hash;
    return true;
  }

  async #readGroup(redis: Connection, name: string, digest: string): Promise<StoredGroup | undefined> {
    const known = this.#groups.get(name);
    if (known?.digest === digest) return known;
    const text = await redis.get(keys.groupMembers(name, digest)).catch(unlessRefused);
    if (text !== null) return { digest, ids: readMembers(text) };
    this.#log(`sluice: the customers of group ${name} cannot be read, so its override is not enforced.`);
    return undefined;
  }

  /** @param lead of this process' clock over Redis' */
  async #take(stored: readonly StoredOverride[], groups: ReadonlyMap<string, StoredGroup>, lead: number) {
    const byMember = new Map<CustomerId, SharedOverride[]>();
    const breathe = breathing();
    const overrides = stored
      .map(({ expiresAt, digest: _, ...rest }): SharedOverride => {
        const endsAt = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt + lead;
        return { ...rest, endsAt };
      })
      .sort(({ name: one }, { name: other }) => inOrderOfWinning(one, other));
    const ofGroups = overrides.filter(({ from }) => from === "group");
    for (const override of ofGroups)
      for (const [i, id] of (groups.get(override.name)?.ids ?? []).entries()) {
        if (i % 1_000 === 999) await breathe();
        madeOnce(byMember, id, () => []).push(override);
      }
    // At once, after all pauses: no check meets a part of it.
    this.#groups = groups;
    this.#byMember = byMember;
    this.#patterns = overrides
      .filter(({ from }) => from === "pattern")
      .map((override) => ({ override, matches: patternMatcher(override.name) }));
    this.#found.clear();
  }
}

const copies = new WeakMap<Connection, SharedOverrides>();

/** Those of now, outside of a node. What has not changed is not read again. */
export async function readSharedOverrides(redis: Connection): Promise<SharedOverrides> {
  const copy = madeOnce(copies, redis, () => new SharedOverrides());
  await copy.read(redis);
  return copy;
}

/** An account may not read it, or it is of another type. */
function unlessRefused(error: unknown): null {
  if (error instanceof Error && error.name === "ReplyError") return null;
  throw error;
}

/** A key of another type holds no overrides. */
function unlessForeign(error: unknown): Record<string, string> {
  if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return {};
  throw error;
}
