import { at } from "../../at.ts";
import { isCustomerId } from "../../enforce/customers/id.ts";
import { inPairs, readOverride } from "../../enforce/customers/stored-limits.ts";
import { readTier, readTierEnd, type TierEnd, tierAt } from "../../enforce/customers/tier.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import { type Contents, type Copy, nodeScripts, type ReadingScripts } from "../../redis/copy.ts";
import { type CustomerId, customerOf, keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";

/** A customer in the directory. Ends are on this process' monotonic clock. */
export interface DirectoryEntry {
  readonly id: CustomerId;
  /** The id in lower case, by which it is sorted and found. */
  readonly name: string;
  /** Of one that has ended, what follows it. */
  readonly tier: string | undefined;
  readonly tierEndsAt: number;
  /** The tier from then on. Undefined: none. */
  readonly tierBack: string | undefined;
  /** What the keys of the tier say. */
  readonly savedTier: { readonly name: string | undefined; readonly endsAt: number } | undefined;
  readonly savedEnd: (TierEnd & { readonly endsAt: number }) | undefined;
  readonly override: readonly Level[] | undefined;
  readonly overrideEndsAt: number;
  readonly isSuspended: boolean;
  readonly suspensionEndsAt: number;
  /** The value in Redis names no tier, is no level, or no text. */
  readonly isSuspensionOdd: boolean;
  readonly isTierOdd: boolean;
  readonly isOverrideOdd: boolean;
}

type DirectoryPart = Partial<Omit<DirectoryEntry, "id" | "name" | "tier" | "tierEndsAt" | "tierBack">>;

const never = Number.POSITIVE_INFINITY;
const noTier = { savedTier: undefined, isTierOdd: false } satisfies DirectoryPart;
const noOverride = {
  override: undefined,
  overrideEndsAt: never,
  isOverrideOdd: false,
} satisfies DirectoryPart;

const noSuspension = {
  isSuspended: false,
  suspensionEndsAt: never,
  isSuspensionOdd: false,
} satisfies DirectoryPart;

/** For more changes than this, sorting everything is cheaper than finding each its place. */
const fewChanges = 500;

/** All customers in the order of their ids, kept current by a mirror, for search. */
export class CustomerDirectory implements Copy {
  #entries = new Map<string, DirectoryEntry>();
  #fresh: Map<string, DirectoryEntry> | undefined;
  #sorted: DirectoryEntry[] = [];
  /** Customers whose place in `#sorted` is out of date until the next search. */
  readonly #changed = new Set<CustomerId>();
  /** No tier, override or suspension ends before. */
  #nextEnd = never;
  #version = 0;

  /** Changes with every change of a customer. */
  get version(): number {
    this.#endWhatIsOver();
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: CustomerId): DirectoryEntry | undefined {
    return this.#entries.get(id);
  }

  /** Customers whose id begins with the text, in order. */
  beginningWith(text: string): readonly DirectoryEntry[] {
    this.#endWhatIsOver();
    this.#settle();
    if (text === "") return this.#sorted;
    const name = text.toLowerCase();
    return this.#sorted.slice(this.#placeOf(name, ""), this.#placeOf(`${name}\uffff`, ""));
  }

  holds(key: string): boolean {
    return customerOf(key) !== undefined;
  }

  begin(): void {
    this.#fresh = new Map();
  }

  load(key: string, ttlMs: number, contents?: Contents): void {
    const found = this.#fresh && partOf(key, ttlMs, contents);
    if (this.#fresh && found) store(this.#fresh, found.id, found.part);
  }

  put(key: string, ttlMs: number, contents?: Contents): void {
    const found = partOf(key, ttlMs, contents);
    if (found) this.#put(found.id, found.part);
    this.load(key, ttlMs, contents);
  }

  finish(): void {
    if (!this.#fresh) return;
    this.#entries = this.#fresh;
    this.#fresh = undefined;
    this.#version++;
    this.#nextEnd = Number.NEGATIVE_INFINITY;
    this.#sortAll();
  }

  #put(id: CustomerId, part: DirectoryPart): void {
    const entry = store(this.#entries, id, part);
    this.#changed.add(id);
    this.#version++;
    if (entry) this.#nextEnd = Math.min(this.#nextEnd, endOf(entry));
  }

  /** Redis does not announce expiry. */
  #endWhatIsOver(): void {
    const now = performance.now();
    if (now < this.#nextEnd) return;
    this.#nextEnd = never;
    for (const entry of this.#entries.values()) {
      const endsAt = endOf(entry);
      if (endsAt > now) {
        this.#nextEnd = Math.min(this.#nextEnd, endsAt);
        continue;
      }
      this.#put(entry.id, {
        ...((entry.savedTier?.endsAt ?? never) <= now && noTier),
        ...(entry.overrideEndsAt <= now && noOverride),
        ...(entry.suspensionEndsAt <= now && noSuspension),
      });
    }
  }

  #settle(): void {
    if (this.#changed.size > fewChanges) this.#sortAll();
    for (const id of this.#changed) {
      const entry = this.#entries.get(id);
      const place = this.#placeOf(id.toLowerCase(), id);
      const hasPlace = this.#sorted[place]?.id === id;
      this.#sorted.splice(place, hasPlace ? 1 : 0, ...(entry ? [entry] : []));
    }
    this.#changed.clear();
  }

  #sortAll(): void {
    this.#sorted = [...this.#entries.values()].sort(inOrder);
    this.#changed.clear();
  }

  /** Where an id is, or would be. */
  #placeOf(name: string, id: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = at(this.#sorted, middle);
      if (entry.name < name || (entry.name === name && entry.id < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** When the first part of it ends. */
function endOf({ tierEndsAt, overrideEndsAt, suspensionEndsAt }: DirectoryEntry): number {
  return Math.min(tierEndsAt, overrideEndsAt, suspensionEndsAt);
}

function inOrder(a: DirectoryEntry, b: DirectoryEntry): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function unknown(id: CustomerId): Omit<DirectoryEntry, "tier" | "tierEndsAt" | "tierBack"> {
  return { id, name: id.toLowerCase(), ...noTier, savedEnd: undefined, ...noOverride, ...noSuspension };
}

/** Removes a customer of which nothing is stored. */
function store(
  entries: Map<string, DirectoryEntry>,
  id: CustomerId,
  part: DirectoryPart,
): DirectoryEntry | undefined {
  const before = entries.get(id) ?? unknown(id);
  const raw = { ...before, ...part };
  const { name, endsAt = never } = raw.savedTier ?? {};
  const own = name === undefined ? name : tierAt({ name, endsAt }, raw.savedEnd, performance.now());
  const entry = { ...raw, tier: own?.name, tierEndsAt: own?.endsAt ?? endsAt, tierBack: own?.back };
  const { tier, override, isSuspended } = entry;
  if (tier === undefined && !override && !isSuspended && !isOdd(entry)) {
    entries.delete(id);
    return undefined;
  }
  entries.set(id, entry);
  return entry;
}

/** A value of the customer in Redis is not enforced. */
export function isOdd(entry: DirectoryEntry): boolean {
  return entry.isTierOdd || entry.isOverrideOdd || entry.isSuspensionOdd;
}

const parts = { tier: tierPart, tierEnd: tierEndPart, override: overridePart, suspension: suspensionPart };

function partOf(key: string, ttlMs: number, contents: Contents | undefined) {
  const found = customerOf(key);
  if (!found || !isCustomerId(found.id)) return undefined;
  const endsAt = ttlMs < 0 ? never : performance.now() + ttlMs;
  return { id: found.id, part: parts[found.says](contents, endsAt) };
}

function tierPart(contents: Contents | undefined, endsAt: number): DirectoryPart {
  if (contents === undefined) return noTier;
  const name = typeof contents === "string" ? readTier(contents) : undefined;
  return { savedTier: { name, endsAt }, isTierOdd: name === undefined };
}

function tierEndPart(contents: Contents | undefined, endsAt: number): DirectoryPart {
  const end = typeof contents === "string" ? readTierEnd(contents) : undefined;
  return { savedEnd: end && { ...end, endsAt } };
}

function overridePart(contents: Contents | undefined, overrideEndsAt: number): DirectoryPart {
  if (contents === undefined) return noOverride;
  const { levels, flags } = typeof contents === "string" ? {} : readOverride(inPairs(contents));
  return { override: levels, overrideEndsAt, isOverrideOdd: !levels || (flags ?? []).length > 0 };
}

function suspensionPart(contents: Contents | undefined, suspensionEndsAt: number): DirectoryPart {
  if (contents === undefined) return noSuspension;
  const isSuspended = typeof contents === "string";
  return { isSuspended, suspensionEndsAt, isSuspensionOdd: !isSuspended };
}

const pageSize = 1_000;

type PageReply = [cursor: string, lives: (string | number)[], contents: (string | number | string[])[]];

/** Loads customers alone, so that Redis does not send a million list entries that are not used. */
export const directoryScripts: ReadingScripts = {
  ...nodeScripts,
  loadPage: defineScript({
    lua: lua.loadPage,
    keys: () => [],
    args: (cursor: string) => [cursor, `${keys.customerPrefix()}*`, pageSize, keys.customerPrefix()],
    reply: ([cursor, lives, contents]: PageReply) => ({ cursor, lives, contents }),
  }),
};
