import type { Level } from "../policy/levels.ts";
import type { Standing } from "../policy/standing.ts";
import type { Contents, Copy } from "../redis/copy.ts";
import { type CustomerId, customerOf } from "../redis/keys.ts";
import { isCustomerId } from "./id.ts";
import { readOverride } from "./override.ts";
import { Shelf } from "./shelf.ts";
import { readTier } from "./tier.ts";

/** Both parts with the moments they end, on this process' monotonic clock. */
interface Held extends Standing {
  readonly tierEndsAt: number;
  readonly overrideEndsAt: number;
}

type Part = Partial<Held>;

const never = Number.POSITIVE_INFINITY;
const nothing: Held = { tier: undefined, override: undefined, tierEndsAt: never, overrideEndsAt: never };
/** Past this many different ones, equal standings and levels are no longer found to be the same. */
const mostShared = 100_000;

/** Tiers and overrides of all customers in memory, so that a check costs no round trip. */
export class CustomerReplica implements Copy {
  #shelf = new Shelf<Held>();
  #fresh: Shelf<Held> | undefined;
  /** A million customers of three tiers share three standings. */
  readonly #plain = new Map<string, Held>();
  readonly #levels = new Map<string, readonly Level[]>();

  /** How many customers have a tier or levels of their own. */
  get size(): number {
    return this.#shelf.size;
  }

  /** What is known of a customer now; nothing of most. */
  get(id: CustomerId): Standing | undefined {
    const held = this.#shelf.get(id);
    if (!held || (held.tierEndsAt === never && held.overrideEndsAt === never)) return held;
    // Redis does not announce expiry.
    const now = performance.now();
    if (held.tierEndsAt > now && held.overrideEndsAt > now) return held;
    return this.#store(this.#shelf, id, {
      ...(held.tierEndsAt <= now && noTier),
      ...(held.overrideEndsAt <= now && noOverride),
    });
  }

  holds(key: string): boolean {
    return customerOf(key) !== undefined;
  }

  begin(): void {
    this.#fresh = new Shelf();
  }

  load(key: string, ttlMs: number, contents?: Contents): void {
    if (this.#fresh) this.#write(this.#fresh, key, ttlMs, contents);
  }

  put(key: string, ttlMs: number, contents?: Contents): void {
    this.#write(this.#shelf, key, ttlMs, contents);
    this.load(key, ttlMs, contents);
  }

  finish(): void {
    this.#shelf = this.#fresh ?? this.#shelf;
    this.#fresh = undefined;
  }

  #write(shelf: Shelf<Held>, key: string, ttlMs: number, contents: Contents | undefined): void {
    const found = customerOf(key);
    if (!found || !isCustomerId(found.id)) return;
    const endsAt = ttlMs < 0 ? never : performance.now() + ttlMs;
    const part = found.says === "tier" ? tierPart(contents, endsAt) : this.#overridePart(contents, endsAt);
    this.#store(shelf, found.id, part);
  }

  #store(shelf: Shelf<Held>, id: CustomerId, part: Part): Held | undefined {
    const held = { ...(shelf.get(id) ?? nothing), ...part };
    if (held.tier === undefined && held.override === undefined) {
      shelf.delete(id);
      return undefined;
    }
    const isPlain = held.override === undefined && held.tierEndsAt === never;
    const shared = isPlain ? share(this.#plain, held.tier ?? "", () => held) : held;
    shelf.set(id, shared);
    return shared;
  }

  #overridePart(contents: Contents | undefined, endsAt: number): Part {
    if (contents === undefined || typeof contents === "string") return noOverride;
    const { levels } = readOverride(inPairs(contents));
    if (!levels) return noOverride;
    const text = levels.map(({ limit, periodSeconds }) => `${periodSeconds}:${limit}`).join();
    return { override: share(this.#levels, text, () => levels), overrideEndsAt: endsAt };
  }
}

const noTier: Part = { tier: undefined, tierEndsAt: never };
const noOverride: Part = { override: undefined, overrideEndsAt: never };

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

function* inPairs(flat: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] ?? "", flat[i + 1] ?? ""];
}
