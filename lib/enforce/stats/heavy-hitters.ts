import { madeOnce } from "../../at.ts";
import { clientOfId } from "../../redis/keys.ts";
import type { Scope, ScopeCounter } from "../policy/match.ts";
import { fields, type HitterKind, hitterText, shadowedText } from "./fields.ts";

/**
 * The heaviest of any number of names in memory that does not grow (Space-Saving, a batch at a time: when there is no room,
 * the lightest quarter goes at once, and the most that one of them may have had is the possible error of names that follow).
 * Going one by one would cost each hit more than all else that is counted of it.
 */
export class HeavyHitters {
  readonly #capacity: number;
  #slots = new Map<string, number>();
  /** By slot. */
  readonly #names: (string | undefined)[];
  readonly #counts: Uint32Array;
  /** Hits that each may have had before it got its slot. */
  readonly #errors: Uint32Array;
  readonly #free: number[] = [];
  #error = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#names = new Array<string | undefined>(capacity).fill(undefined);
    this.#counts = new Uint32Array(capacity);
    this.#errors = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#slots.size;
  }

  /**
   * Counts a hit. Returns the slot of the name, or its complement when the name has just got the slot.
   * @param guess a slot that the name may still have: a comparison instead of a look-up
   */
  hit(name: string, guess = 0): number {
    const known = this.#names[guess] === name ? guess : this.#slots.get(name);
    if (known === undefined) return ~this.#settle(name, 1);
    raise(this.#counts, known);
    return known;
  }

  slotOf(name: string): number | undefined {
    return this.#slots.get(name);
  }

  /** Counts a hit that weighs so much. */
  add(name: string, amount: number): void {
    const known = this.#slots.get(name);
    if (known === undefined) this.#settle(name, Math.min(largestCount, amount));
    else this.#counts[known] = Math.min(largestCount, countAt(this.#counts, known) + amount);
  }

  /** Names with the hits that are certain: each may have had more, but not fewer. Of more than `most`, the ones with most of them. */
  *certain(
    most = this.#capacity,
  ): Generator<{ readonly slot: number; readonly name: string; readonly count: number }> {
    const { least, room } = this.#leastOf(most);
    let left = room;
    for (const [name, slot] of this.#slots) {
      const count = countAt(this.#counts, slot);
      if (count > least || (count === least && left-- > 0)) yield { slot, name, count };
    }
  }

  /** The fewest hits that one of so many names has, and how many of them have no more than that. */
  #leastOf(most: number): { readonly least: number; readonly room: number } {
    if (this.size <= most) return { least: 0, room: 0 };
    const sorted = this.#counts.toSorted();
    const least = countAt(sorted, this.#capacity - most);
    return { least, room: most - (this.#capacity - 1 - sorted.lastIndexOf(least)) };
  }

  /** Frees the slot of a name whose hits were reported: its next hit is the first. */
  forget(name: string): void {
    const slot = this.#slots.get(name);
    if (slot === undefined) return;
    this.#slots.delete(name);
    this.#release(slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#names.fill(undefined);
    this.#counts.fill(0);
    this.#free.length = 0;
    this.#error = 0;
  }

  #settle(name: string, count: number): number {
    if (this.#slots.size === this.#capacity) this.#makeRoom();
    const slot = this.#free.pop() ?? this.#slots.size;
    this.#slots.set(name, slot);
    this.#names[slot] = name;
    this.#counts[slot] = count;
    this.#errors[slot] = this.#error;
    return slot;
  }

  #release(slot: number): void {
    this.#names[slot] = undefined;
    this.#counts[slot] = 0;
    this.#free.push(slot);
  }

  #makeRoom(): void {
    const estimates = this.#counts.map((count, slot) => count + countAt(this.#errors, slot));
    const lightest = countAt(estimates.toSorted(), this.#capacity >> 2);
    const kept = new Map<string, number>();
    // An iterator would make an array of each.
    this.#slots.forEach((slot, name) => {
      if (countAt(estimates, slot) > lightest) kept.set(name, slot);
      else this.#release(slot);
    });
    this.#slots = kept;
    this.#error = lightest;
  }
}

/** A client's counts since it was reported last. */
export interface Hitter {
  readonly name: string;
  readonly count: number;
  readonly denied: number;
}

interface UnreportedHitter extends Hitter {
  readonly of: BusiestClients;
  readonly slot: number;
}

/** An address, with the slot that it was last counted in. */
export interface RememberedSlot {
  slot: number;
}

/** Numbers that choose the samples of a slot. */
const slotSize = 4;

/** The busiest clients of one kind, and how often each of them was denied. */
export class BusiestClients {
  readonly #kind: HitterKind;
  readonly #hitters: HeavyHitters;
  readonly #denied: Uint32Array;
  /** Broad scopes, which count some of these requests by slot. */
  #scopes: readonly ScopeTally[] = [];
  /**
   * Four numbers of each slot: denials, with those of rules in shadow; the denial that is the next sample; other requests; the
   * one of these that is the next sample.
   */
  readonly #samples: Uint32Array;

  constructor(kind: HitterKind, most: number) {
    this.#kind = kind;
    this.#hitters = new HeavyHitters(most);
    this.#denied = new Uint32Array(most);
    this.#samples = new Uint32Array(slotSize * most);
  }

  /**
   * Counts a request. Returns the number of a sample among the client's denials, or among its other requests, since it got its
   * slot; 0 for a request that is no sample.
   * @param isDenial also for a request that a rule in shadow would have denied
   * @param address remembers the slot for its next request
   * @param seenBy broad scopes that count it
   */
  hit(
    name: string,
    isDenied: boolean,
    isDenial: boolean,
    address?: RememberedSlot,
    seenBy?: readonly ScopeCounter[],
    customerId?: string,
  ): number {
    const found = this.#hitters.hit(name, address?.slot);
    const slot = found < 0 ? ~found : found;
    if (address) address.slot = slot;
    const all = this.#samples;
    const at = slotSize * slot + (isDenial ? 0 : 2);
    if (found < 0) {
      this.#denied[slot] = 0;
      const first = slotSize * slot;
      all[first] = 0;
      all[first + 1] = 1;
      all[first + 2] = 0;
      all[first + 3] = 1;
      for (const scope of this.#scopes) scope.forget(slot);
    }
    if (isDenied) raise(this.#denied, slot);
    if (seenBy !== undefined) for (const scope of seenBy) scope.see(slot, customerId);
    const nth = raise(all, at);
    if (nth !== countAt(all, at + 1)) return 0;
    // The last sample is any of the client's requests with the same chance: each n-th one becomes it with a chance of 1 in n.
    all[at + 1] = 1 + Math.floor(nth / random());
    return nth;
  }

  /** The client's denials, or its other requests, since it got its slot. 0 without a slot. */
  countOf(name: string, isDenial: boolean): number {
    const slot = this.#hitters.slotOf(name);
    return slot === undefined ? 0 : countAt(this.#samples, slotSize * slot + (isDenial ? 0 : 2));
  }

  countFor(scopes: readonly ScopeTally[]): void {
    this.#scopes = scopes;
  }

  *unreported(most: number): Generator<UnreportedHitter> {
    for (const { slot, name, count } of this.#hitters.certain(most))
      yield { of: this, slot, name, count, denied: Math.min(count, countAt(this.#denied, slot)) };
  }

  report({ name, slot, count, denied }: UnreportedHitter): Hitter {
    this.#hitters.forget(name);
    for (const scope of this.#scopes) scope.take(slot, name);
    return { name: hitterText(this.#kind, name), count, denied };
  }

  clear(): void {
    this.#hitters.clear();
  }
}

/**
 * The busiest addresses of a node: what a broad scope counts by slot. With fewer slots than a crowd has addresses, each request
 * would look for a slot, and few would be counted together.
 */
export const mostAddresses = 32_768;
/** Clients of one scope that a node counts separately in ten seconds. */
const mostScopeClients = 2_048;
const bucketMs = 10_000;
const largestCount = 0xffff_ffff;

export type ClientAmount = readonly [client: string, amount: number];

/** What the rules of one scope counted in ten seconds. */
export interface ScopeCounts {
  readonly key: string;
  readonly seconds: Scope["seconds"];
  /** Of ten seconds, since the epoch. */
  readonly bucket: number;
  readonly clients: readonly ClientAmount[];
}

interface PendingCount {
  readonly bucket: number;
  readonly client: string;
  readonly amount: number;
}

/**
 * The busiest clients of one scope. A narrow scope counts few requests, under names of its own: a crowd on other paths cannot
 * displace them. A broad one counts nearly all requests, so it adds to the slot that the address has already.
 */
export class ScopeTally implements ScopeCounter {
  readonly scope: Scope;
  readonly #named = new HeavyHitters(mostScopeClients);
  readonly #bySlot: Uint32Array | undefined;
  #pending: PendingCount[] = [];
  /** Of addresses whose slots were freed since the last report. */
  #taken: ClientAmount[] = [];
  #bucket: number;

  constructor(scope: Scope, nowMs: number) {
    this.scope = scope;
    this.#bucket = bucketAt(nowMs);
    this.#bySlot = scope.isBroad ? new Uint32Array(mostAddresses) : undefined;
  }

  add(client: string, amount: number, nowMs: number): void {
    const bucket = bucketAt(nowMs);
    if (bucket !== this.#bucket) this.#begin(bucket);
    this.#named.add(client, amount);
  }

  see(slot: number, customerId: string | undefined): void {
    if (customerId !== undefined && this.scope.isAnonymous) this.#named.add(clientOfId(customerId), 1);
    else if (this.#bySlot) raise(this.#bySlot, slot);
  }

  /** The slot begins again. */
  forget(slot: number): void {
    if (this.#bySlot) this.#bySlot[slot] = 0;
  }

  /** The address is about to be reported: its count goes with it. */
  take(slot: number, client: string): void {
    const amount = this.#bySlot ? countAt(this.#bySlot, slot) : 0;
    if (amount > 0 && this.#taken.length < mostAddresses) this.#taken.push([client, amount]);
    this.forget(slot);
  }

  /** The heaviest of what was not reported yet. As many others wait for a later report as the scope counts separately. */
  report(most: number, nowMs: number): ScopeCounts[] {
    const bucket = bucketAt(nowMs);
    this.#begin(bucket);
    const all = this.#pending.sort((a, b) => b.amount - a.amount);
    this.#pending = all.slice(most, most + mostScopeClients);
    const buckets = new Map<number, ClientAmount[]>();
    if (this.#taken.length > 0) buckets.set(bucket, this.#taken);
    this.#taken = [];
    for (const { bucket, client, amount } of all.slice(0, most))
      madeOnce(buckets, bucket, () => []).push([client, amount]);
    const { key, seconds } = this.scope;
    return [...buckets].map(([bucket, clients]) => ({ key, seconds, bucket, clients }));
  }

  #begin(bucket: number): void {
    for (const { name, count } of this.#named.certain())
      this.#pending.push({ bucket: this.#bucket, client: name, amount: count });
    this.#named.clear();
    this.#bucket = bucket;
  }
}

/** Clients of one rule in shadow that a node counts separately in a second, and as many signed-in ones. */
const mostShadowed = 512;

/** The clients that one rule in shadow would have denied since the last report. */
export class ShadowedClients {
  readonly #anonymous = new HeavyHitters(mostShadowed);
  readonly #signedIn = new HeavyHitters(mostShadowed);

  note(client: string, customerId: string | undefined): void {
    if (customerId === undefined) this.#anonymous.hit(client);
    else this.#signedIn.hit(shadowedText(client, customerId));
  }

  take(): ClientAmount[] {
    return [
      ...[...this.#anonymous.certain()].map(
        ({ name, count }) => [shadowedText(name, undefined), count] as const,
      ),
      ...[...this.#signedIn.certain()].map(({ name, count }) => [name, count] as const),
    ];
  }
}

/** Entries of one list that a node counts separately in a minute. */
const mostEntries = 1_000;

/**
 * The entries of one list that decided most requests. Of others only the sum is known, because outcomes are counted, too. A hit of a
 * counted entry is one look-up and makes no object.
 */
export class BusiestEntries {
  readonly #hitters = new HeavyHitters(mostEntries);

  get size(): number {
    return this.#hitters.size;
  }

  hit(entry: string): void {
    this.#hitters.hit(entry);
  }

  /** The busiest. Others keep their hits until a later report. */
  take(most: number): ClientAmount[] {
    return [...this.#hitters.certain(most)].map(({ name, count }) => {
      this.#hitters.forget(name);
      return [name, count] as const;
    });
  }

  clear(): void {
    this.#hitters.clear();
  }
}

const bucketAt = (nowMs: number): number => Math.floor(nowMs / bucketMs);

/** A small integer, which takes no memory for each new value. */
let seed = (Math.random() * 2 ** 32) | 0;

/** From 0 to 1. Good enough to choose samples, and several times as fast as that of JavaScript. */
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return (seed >>> 0) / 2 ** 32;
}

/** Adds 1 and returns the sum. */
export function raise(counts: Uint32Array, index: number): number {
  const count = countAt(counts, index) + 1;
  counts[index] = count;
  return count;
}

/** The caller passes an index within the array: no check, for these run for every request. */
export function countAt(counts: Uint32Array, index: number): number {
  return counts[index] ?? 0;
}

/** What statistics read of a plan's step. */
interface CountedStep {
  readonly rule: string;
  readonly limit: number;
}

/** Rules that requests share. */
export interface CountedPlan {
  readonly steps: readonly CountedStep[];
}

interface CountedReading {
  readonly used: number;
  readonly isOver: boolean;
}

interface PlanHits {
  requests: number;
  /** By rule: requests with which the rule was near its limit, or denied. Undefined while there are none. */
  near: Map<string, number> | undefined;
}

/** From this share of its limit on, a rule is near it. Below, nodes may decide without asking. */
const nearShare = 0.8;

/** Requests that each rule counted, and how many of them found it near its limit. Requests with the same rules share one count. */
export class RuleHits {
  readonly #plans = new Map<CountedPlan, PlanHits>();
  #last: CountedPlan | undefined;
  #hits: PlanHits = { requests: 0, near: undefined };

  /** @param readings undefined where no rule is near its limit */
  note(plan: CountedPlan, readings: readonly CountedReading[] | undefined): void {
    if (plan !== this.#last) this.#choose(plan);
    this.#hits.requests++;
    if (readings) this.#noteNear(plan, readings);
  }

  /** Gives what was counted since the call before. */
  take(give: (field: string, count: number) => void): void {
    for (const [{ steps }, { requests, near }] of this.#plans) {
      for (const rule of new Set(steps.map((step) => step.rule))) give(fields.hit(rule), requests);
      for (const [rule, count] of near ?? []) give(fields.near(rule), count);
    }
    this.#plans.clear();
    this.#last = undefined;
  }

  #choose(plan: CountedPlan): void {
    const known = this.#plans.get(plan);
    this.#hits = known ?? { requests: 0, near: undefined };
    if (!known) this.#plans.set(plan, this.#hits);
    this.#last = plan;
  }

  /** A rule's levels follow one another, and the rule counts once. */
  #noteNear({ steps }: CountedPlan, readings: readonly CountedReading[]): void {
    let last: string | undefined;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i];
      const reading = readings[i];
      if (!step || !reading || step.rule === last) continue;
      if (!reading.isOver && reading.used + 1 <= nearShare * step.limit) continue;
      last = step.rule;
      this.#hits.near ??= new Map();
      this.#hits.near.set(last, (this.#hits.near.get(last) ?? 0) + 1);
    }
  }
}
