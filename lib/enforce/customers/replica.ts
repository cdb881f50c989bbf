import { at } from "../../at.ts";
import {
  type Contents,
  type Copy,
  endsDifferMs,
  isAnotherEnd,
  type Packed,
  packedEnd,
  unpackedEnd,
} from "../../redis/copy.ts";
import { type CustomerId, type CustomerKey, customerOf, keys } from "../../redis/keys.ts";
import type { StoredLimits } from "../policy/client.ts";
import type { Level } from "../policy/levels.ts";
import { isCustomerId } from "./id.ts";
import { inPairs, readOverride } from "./stored-limits.ts";
import { readTier, readTierEnd, type TierEnd, tierAt } from "./tier.ts";

/** Growing one map of a million keys would block the event loop for tens of milliseconds. */
const shards = 64;

/** A map from short ASCII texts, split into shards that grow one at a time. */
export class ShardedMap<T> {
  readonly #shards = Array.from({ length: shards }, () => new Map<string, T>());

  get size(): number {
    let size = 0;
    for (const shard of this.#shards) size += shard.size;
    return size;
  }

  get(name: string): T | undefined {
    return this.#shard(name).get(name);
  }

  set(name: string, value: T): void {
    const shard = this.#shard(name);
    // A text cut from a longer one keeps the longer one in memory, so it is copied.
    shard.set(shard.has(name) ? name : Buffer.from(name, "latin1").toString("latin1"), value);
  }

  /** One shard after the other, so that a large map does not block the event loop. */
  *parts(): Generator<ReadonlyMap<string, T>> {
    yield* this.#shards;
  }

  delete(name: string): void {
    this.#shard(name).delete(name);
  }

  #shard(name: string): Map<string, T> {
    let hash = 0;
    for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
    return at(this.#shards, (hash ^ (hash >>> 15)) & (shards - 1));
  }
}

/** All parts with their ends, on this process' monotonic clock. */
interface TimedLimits extends StoredLimits {
  readonly tierEndsAt: number;
  readonly overrideEndsAt: number;
  readonly isSuspended: boolean;
  readonly suspensionEndsAt: number;
}

/** What follows a tier that ends. Few customers have one. */
interface HeldEnd extends TierEnd {
  /** When its key ends, on this process' monotonic clock. */
  readonly endsAt: number;
  /** The limits once it has ended, of these. */
  ended?: { readonly of: TimedLimits; readonly limits: TimedLimits };
}

type EndMap = Map<string, HeldEnd>;
type CustomerMap = ShardedMap<TimedLimits>;
type Part = Partial<TimedLimits>;

const never = Number.POSITIVE_INFINITY;
const noTier = { tier: undefined, tierEndsAt: never };
const noOverride = { override: undefined, overrideEndsAt: never };
const noSuspension = { isSuspended: false, suspensionEndsAt: never };
const none: TimedLimits = { ...noTier, ...noOverride, ...noSuspension };
/** Most shared values. Beyond them, sharing starts again. */
const mostShared = 100_000;

/** Tiers, overrides and suspensions of all customers in memory, so that a check costs no round trip. */
export class CustomerReplica implements Copy {
  #customers = new ShardedMap<TimedLimits>();
  #fresh: CustomerMap | undefined;
  #ends: EndMap = new Map();
  #freshEnds: EndMap = new Map();
  /** Limits by tier: a million customers of three tiers share three objects. */
  readonly #plain = new Map<string, TimedLimits>();
  readonly #levels = new Map<string, readonly Level[]>();
  readonly #onFound: (id: CustomerId) => void;

  /** @param onFound called with each customer that a scan found changed */
  constructor(onFound: (id: CustomerId) => void = () => {}) {
    this.#onFound = onFound;
  }

  /** The number of customers with a tier, an override or a suspension. */
  get size(): number {
    return this.#customers.size;
  }

  /** Limits of a customer. Undefined for most. */
  get(id: CustomerId): StoredLimits | undefined {
    const limits = this.#alive(id);
    const end = limits && this.#ends.size > 0 ? this.#ends.get(id) : undefined;
    return limits && end ? afterEnd(limits, end) : limits;
  }

  /** Without keys that have ended. */
  #alive(id: CustomerId): TimedLimits | undefined {
    const limits = this.#customers.get(id);
    if (!limits) return limits;
    const endsAt = Math.min(limits.tierEndsAt, limits.overrideEndsAt, limits.suspensionEndsAt);
    if (endsAt === never) return limits;
    // Redis does not announce expiry.
    const now = performance.now();
    if (endsAt > now) return limits;
    return this.#store(this.#customers, id, {
      ...(limits.tierEndsAt <= now && noTier),
      ...(limits.overrideEndsAt <= now && noOverride),
      ...(limits.suspensionEndsAt <= now && noSuspension),
    });
  }

  holds(key: string): boolean {
    return customerOf(key) !== undefined;
  }

  begin(): void {
    this.#fresh = new ShardedMap();
    this.#freshEnds = new Map();
  }

  load(key: string, ttlMs: number, contents?: Contents): void {
    if (this.#fresh) this.#write(this.#fresh, this.#freshEnds, key, ttlMs, contents);
  }

  put(key: string, ttlMs: number, contents?: Contents): void {
    this.#write(this.#customers, this.#ends, key, ttlMs, contents);
    this.load(key, ttlMs, contents);
  }

  review(key: string, ttlMs: number, contents?: Contents): boolean {
    const id = customerOf(key)?.id;
    if (id === undefined || !isCustomerId(id)) return false;
    const [before, endBefore] = [this.#customers.get(id) ?? none, this.#ends.get(id)];
    this.put(key, ttlMs, contents);
    const [after, endAfter] = [this.#customers.get(id) ?? none, this.#ends.get(id)];
    const isChanged =
      before.tier !== after.tier ||
      before.override !== after.override ||
      before.isSuspended !== after.isSuspended ||
      !isSameEnd(endBefore, endAfter);
    if (isChanged) this.#onFound(id);
    return (
      isChanged ||
      isAnotherEnd(before.tierEndsAt, after.tierEndsAt) ||
      isAnotherEnd(before.overrideEndsAt, after.overrideEndsAt) ||
      isAnotherEnd(before.suspensionEndsAt, after.suspensionEndsAt)
    );
  }

  *missing(): Generator<readonly string[]> {
    const fresh = this.#fresh;
    if (!fresh) return;
    const soon = performance.now() + endsDifferMs;
    for (const part of this.#customers.parts()) {
      const missing: string[] = [];
      for (const [id, limits] of part) {
        if (!isCustomerId(id)) continue;
        const { tier, tierEndsAt, override, overrideEndsAt, isSuspended, suspensionEndsAt } = limits;
        const found = fresh.get(id);
        if (tier !== undefined && tierEndsAt > soon && found?.tier === undefined) missing.push(keys.tier(id));
        if (override !== undefined && overrideEndsAt > soon && found?.override === undefined)
          missing.push(keys.override(id));
        if (isSuspended && suspensionEndsAt > soon && !found?.isSuspended) missing.push(keys.suspension(id));
      }
      yield missing;
    }
    const ends = [...this.#ends].filter(([id, { endsAt }]) => endsAt > soon && !this.#freshEnds.has(id));
    yield ends.flatMap(([id]) => (isCustomerId(id) ? keys.tierEnd(id) : []));
  }

  finish(): void {
    if (!this.#fresh) return;
    this.#customers = this.#fresh;
    this.#ends = this.#freshEnds;
    this.#fresh = undefined;
    this.#freshEnds = new Map();
  }

  *pack(since: number): Generator<Packed> {
    let rows: PackedCustomer[] = [];
    for (const part of this.#customers.parts()) {
      for (const [id, limits] of part) {
        rows.push(packCustomer(id, limits, this.#ends.get(id), since));
        if (rows.length < packedTogether) continue;
        yield packRows(rows);
        rows = [];
      }
    }
    if (rows.length > 0) yield packRows(rows);
  }

  unpack(bytes: Uint8Array, since: number): number | undefined {
    const rows = readRows(bytes);
    if (!this.#fresh || !rows) return undefined;
    const now = performance.now();
    for (const [id, tier, tierEnd, override, overrideEnd, isSuspended, suspensionEnd, end] of rows) {
      if (!isCustomerId(id)) return undefined;
      const endsAt = (end: number) => unpackedEnd(end, since);
      this.#store(this.#fresh, id, {
        ...(endsAt(tierEnd) > now && tierPart(tier ?? undefined, endsAt(tierEnd))),
        ...(endsAt(overrideEnd) > now && this.#overridePart(override ?? undefined, endsAt(overrideEnd))),
        ...(isSuspended &&
          endsAt(suspensionEnd) > now && { isSuspended, suspensionEndsAt: endsAt(suspensionEnd) }),
      });
      if (end) this.#freshEnds.set(id, { ...end[0], endsAt: endsAt(end[1]) });
    }
    return rows.length;
  }

  #write(
    customers: CustomerMap,
    ends: EndMap,
    key: string,
    ttlMs: number,
    contents: Contents | undefined,
  ): void {
    const found = customerOf(key);
    if (!found || !isCustomerId(found.id)) return;
    const endsAt = ttlMs < 0 ? never : performance.now() + ttlMs;
    if (found.says !== "tierEnd")
      return void this.#store(customers, found.id, this.#partOf(found.says, contents, endsAt));
    const end = typeof contents === "string" ? readTierEnd(contents) : undefined;
    if (end) ends.set(found.id, { ...end, endsAt });
    else ends.delete(found.id);
  }

  #store(customers: CustomerMap, id: CustomerId, part: Part): TimedLimits | undefined {
    const limits = { ...(customers.get(id) ?? none), ...part };
    const { tier, override, tierEndsAt, isSuspended } = limits;
    if (tier === undefined && override === undefined && !isSuspended) {
      customers.delete(id);
      return undefined;
    }
    const isPlain = tier !== undefined && override === undefined && !isSuspended && tierEndsAt === never;
    const shared = isPlain ? share(this.#plain, tier, () => limits) : limits;
    customers.set(id, shared);
    return shared;
  }

  #partOf(
    says: Exclude<CustomerKey["says"], "tierEnd">,
    contents: Contents | undefined,
    endsAt: number,
  ): Part {
    if (says === "tier") return tierPart(contents, endsAt);
    if (says === "override") return this.#overridePart(contents, endsAt);
    return typeof contents === "string" ? { isSuspended: true, suspensionEndsAt: endsAt } : noSuspension;
  }

  #overridePart(contents: Contents | undefined, endsAt: number): Part {
    if (contents === undefined || typeof contents === "string") return noOverride;
    const { levels } = readOverride(inPairs(contents));
    if (!levels) return noOverride;
    const text = levels.map(({ limit, periodSeconds }) => `${periodSeconds}:${limit}`).join();
    return { override: share(this.#levels, text, () => levels), overrideEndsAt: endsAt };
  }
}

/** Customers of a piece: 1 to 2 ms. */
const packedTogether = 2_000;

type PackedCustomer = readonly [
  id: string,
  tier: string | null,
  tierEnd: number,
  /** Periods and limits in turn, as the hash has them. */
  override: readonly string[] | null,
  overrideEnd: number,
  isSuspended: boolean,
  suspensionEnd: number,
  /** What follows the tier. Earlier nodes leave it out. */
  end?: readonly [TierEnd, endsAt: number],
];

function packCustomer(
  id: string,
  limits: TimedLimits,
  held: HeldEnd | undefined,
  since: number,
): PackedCustomer {
  const { tier, tierEndsAt, override, overrideEndsAt, isSuspended, suspensionEndsAt } = limits;
  const levels = override?.flatMap(({ limit, periodSeconds }) => [String(periodSeconds), String(limit)]);
  const end = (endsAt: number) => packedEnd(endsAt, since);
  const row = [
    ...([id, tier ?? null, end(tierEndsAt), levels ?? null, end(overrideEndsAt)] as const),
    ...([isSuspended, end(suspensionEndsAt)] as const),
  ] as const;
  if (!held) return row;
  const { tier: ending, back, atMs } = held;
  return [...row, [{ tier: ending, back, atMs }, end(held.endsAt)]];
}

/** One object for all checks after the end. */
function afterEnd(limits: TimedLimits, held: HeldEnd): TimedLimits {
  const { tier: name, tierEndsAt: endsAt } = limits;
  const tier = name === undefined ? name : tierAt({ name, endsAt }, held, performance.now()).name;
  if (tier === name) return limits;
  if (held.ended?.of !== limits) held.ended = { of: limits, limits: { ...limits, tier } };
  return held.ended.limits;
}

function isSameEnd(one: HeldEnd | undefined, other: HeldEnd | undefined): boolean {
  return one?.tier === other?.tier && one?.back === other?.back && !isAnotherEnd(one?.endsAt, other?.endsAt);
}

function packRows(rows: readonly PackedCustomer[]): Packed {
  return { bytes: Buffer.from(JSON.stringify(rows)), keys: rows.length };
}

/** Undefined for another text. What a row has is checked by its digest, and by the same readers as what Redis holds. */
function readRows(bytes: Uint8Array): readonly PackedCustomer[] | undefined {
  try {
    const rows: unknown = JSON.parse(Buffer.from(bytes).toString());
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined;
  }
}

function tierPart(contents: Contents | undefined, endsAt: number): Part {
  const tier = typeof contents === "string" ? readTier(contents) : undefined;
  return tier === undefined ? noTier : { tier, tierEndsAt: endsAt };
}

function share<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= mostShared) known.clear();
  const made = make();
  known.set(name, made);
  return made;
}
