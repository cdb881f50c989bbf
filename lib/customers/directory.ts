import type { Level } from "../policy/levels.ts";
import type { Contents, Copy } from "../redis/copy.ts";
import { type CustomerId, customerOf } from "../redis/keys.ts";
import { isCustomerId } from "./id.ts";
import { readOverride } from "./override.ts";
import { readTier } from "./tier.ts";

/** A customer as the directory holds it. Ends are on this process' monotonic clock. */
export interface Entry {
  readonly id: CustomerId;
  /** By which it is sorted and found: people do not mind small letters. */
  readonly name: string;
  readonly tier: string | undefined;
  readonly tierEndsAt: number;
  readonly override: readonly Level[] | undefined;
  readonly overrideEndsAt: number;
  /** Something stands in Redis that names no tier, or that is no level. */
  readonly isTierOdd: boolean;
  readonly isOverrideOdd: boolean;
}

type Part = Partial<Omit<Entry, "id" | "name">>;

const never = Number.POSITIVE_INFINITY;
const noTier = { tier: undefined, tierEndsAt: never, isTierOdd: false } satisfies Part;
const noOverride = { override: undefined, overrideEndsAt: never, isOverrideOdd: false } satisfies Part;

/** Past this many changes it is cheaper to sort all anew than to find each its place. */
const fewChanges = 500;

/** All customers in the order of their ids, kept current by a mirror: for people who search. */
export class CustomerDirectory implements Copy {
  #entries = new Map<string, Entry>();
  #fresh: Map<string, Entry> | undefined;
  #sorted: Entry[] = [];
  /** Whose place in `#sorted` is not looked at yet; it waits for somebody who asks. */
  readonly #changed = new Set<CustomerId>();
  /** Nothing ends before. */
  #nextEnd = never;
  #version = 0;

  /** Another one when anything is not as it was. */
  get version(): number {
    this.#endWhatIsOver();
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: CustomerId): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Those whose id begins so, in order. */
  beginningWith(text: string): readonly Entry[] {
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
    this.#sortAnew();
  }

  #put(id: CustomerId, part: Part): void {
    const entry = store(this.#entries, id, part);
    this.#changed.add(id);
    this.#version++;
    if (entry) this.#nextEnd = Math.min(this.#nextEnd, entry.tierEndsAt, entry.overrideEndsAt);
  }

  /** Redis does not announce expiry. */
  #endWhatIsOver(): void {
    const now = performance.now();
    if (now < this.#nextEnd) return;
    this.#nextEnd = never;
    for (const { id, tierEndsAt, overrideEndsAt } of this.#entries.values()) {
      if (tierEndsAt <= now || overrideEndsAt <= now)
        this.#put(id, { ...(tierEndsAt <= now && noTier), ...(overrideEndsAt <= now && noOverride) });
      else this.#nextEnd = Math.min(this.#nextEnd, tierEndsAt, overrideEndsAt);
    }
  }

  #settle(): void {
    if (this.#changed.size > fewChanges) this.#sortAnew();
    for (const id of this.#changed) {
      const entry = this.#entries.get(id);
      const place = this.#placeOf(id.toLowerCase(), id);
      const hasPlace = this.#sorted[place]?.id === id;
      this.#sorted.splice(place, hasPlace ? 1 : 0, ...(entry ? [entry] : []));
    }
    this.#changed.clear();
  }

  #sortAnew(): void {
    this.#sorted = [...this.#entries.values()].sort(inOrder);
    this.#changed.clear();
  }

  /** Where an id is, or would be. */
  #placeOf(name: string, id: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#sorted[middle];
      if (entry && (entry.name < name || (entry.name === name && entry.id < id))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function inOrder(a: Entry, b: Entry): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** One of whom nothing is left is taken out. */
function store(entries: Map<string, Entry>, id: CustomerId, part: Part): Entry | undefined {
  const before = entries.get(id) ?? { id, name: id.toLowerCase(), ...noTier, ...noOverride };
  const entry = { ...before, ...part };
  const { tier, override, isTierOdd, isOverrideOdd } = entry;
  if (tier === undefined && !override && !isTierOdd && !isOverrideOdd) {
    entries.delete(id);
    return undefined;
  }
  entries.set(id, entry);
  return entry;
}

function partOf(key: string, ttlMs: number, contents: Contents | undefined) {
  const found = customerOf(key);
  if (!found || !isCustomerId(found.id)) return undefined;
  const endsAt = ttlMs < 0 ? never : performance.now() + ttlMs;
  const part = found.says === "tier" ? tierPart(contents, endsAt) : overridePart(contents, endsAt);
  return { id: found.id, part };
}

function tierPart(contents: Contents | undefined, tierEndsAt: number): Part {
  if (contents === undefined) return noTier;
  const tier = typeof contents === "string" ? readTier(contents) : undefined;
  return { tier, tierEndsAt, isTierOdd: tier === undefined };
}

function overridePart(contents: Contents | undefined, overrideEndsAt: number): Part {
  if (contents === undefined) return noOverride;
  const { levels, flags } = typeof contents === "string" ? {} : readOverride(inPairs(contents));
  return { override: levels, overrideEndsAt, isOverrideOdd: !levels || (flags ?? []).length > 0 };
}

function* inPairs(flat: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] ?? "", flat[i + 1] ?? ""];
}
