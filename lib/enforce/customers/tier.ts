import { parseObject } from "../policy/stored.ts";

/** Reads a customer's tier, which any program may have written. Undefined if no policy can have a tier of that name. */
export function readTier(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,31}$/.test(name) ? name : undefined;
}

/** What follows a tier that ends, where the customer had a tier before. Beside the key of the tier. */
export interface TierEnd {
  /** The tier that ends. */
  readonly tier: string;
  /** The tier from then on. */
  readonly back: string;
  /** In ms of Redis' clock. */
  readonly atMs: number;
}

/**
 * How long both keys outlast the end: every node and program has the tier that ends until a console has put the one that follows
 * into its place. A program that sets the tier removes the expiry of its key, or gives it another one: then nothing follows.
 */
export const keptMs = 3_653 * 86_400_000;
/** The two keys are read one after another, and a busy process reads late. */
const sameExpiryMs = 3_600_000;

export const writeTierEnd = ({ tier, back, atMs }: TierEnd): string => JSON.stringify({ tier, back, atMs });

/** Undefined for a value that Sluice has not written. */
export function readTierEnd(text: string): TierEnd | undefined {
  const { tier, back, atMs } = parseObject(text) ?? {};
  if (typeof tier !== "string" || typeof back !== "string") return undefined;
  return typeof atMs === "number" && Number.isSafeInteger(atMs) ? { tier, back, atMs } : undefined;
}

/** The tier of a customer on any one clock: that of Redis, of a process, or what is left of the lives of keys. */
export interface OwnTier {
  readonly name: string;
  /** Infinite for never. */
  readonly endsAt: number;
  /** The tier from then on. Undefined: none. */
  readonly back?: string;
}

/**
 * @param saved what the key of the tier says, and when the key ends
 * @param end what follows it, and when its key ends
 */
export function tierAt(
  saved: OwnTier,
  end: (Pick<TierEnd, "tier" | "back"> & { readonly endsAt: number }) | undefined,
  now: number,
): OwnTier {
  const isOfIt = end && end.tier === saved.name && Math.abs(end.endsAt - saved.endsAt) <= sameExpiryMs;
  if (!isOfIt) return saved;
  const endsAt = end.endsAt - keptMs;
  return endsAt > now
    ? { name: saved.name, endsAt, back: end.back }
    : { name: end.back, endsAt: Number.POSITIVE_INFINITY };
}
