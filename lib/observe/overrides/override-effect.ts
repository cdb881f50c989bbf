import { inOrderOfWinning, isPattern, patternMatcher } from "../../enforce/customers/id.ts";
import { readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { ClientCounts } from "../stats/client-counts.ts";
import { readRates } from "../stats/rates.ts";

/** A customer with a tier, levels of its own or a suspension. */
export interface KnownCustomer {
  readonly id: CustomerId;
  readonly override?: unknown;
}

interface PreviewSource {
  readonly redis: Connection;
  readonly clients: ClientCounts;
  /** All of them. */
  readonly customers: Iterable<KnownCustomer>;
}

export interface PreviewedOverride {
  /** A pattern, or a group's name. */
  readonly name: string;
  readonly levels: readonly Level[];
  /** Of a group. */
  readonly members: readonly CustomerId[];
}

/** A customer of the last hour that the limits would have denied. */
export interface CustomerOver {
  readonly id: string;
  /** Most requests in a window of the level. */
  readonly peak: number;
  readonly limit: number;
  readonly periodSeconds: number;
}

export interface SharedOverridePreview {
  /** Customers with a key in Redis, or with requests in the last hour, that it has. Of a group: all of its customers. */
  readonly customers: number;
  /** Of these, those with an override that wins over it: their own, or that of another group or pattern. */
  readonly overruled: number;
  /** Of these, those with requests in the last hour. */
  readonly seen: number;
  /** Those of the last hour that would have been denied, the busiest first. */
  readonly over: readonly CustomerOver[];
  readonly overCount: number;
  /** Levels whose windows are longer than what is read. They are not judged. */
  readonly unjudged: readonly Level[];
}

const mostNamed = 20;
const spanMinutes = 60;

/**
 * Who would get these limits, and who of the last hour's customers would have been denied by them. All requests of a customer
 * count, each as one, in windows of whole minutes.
 */
export async function previewSharedOverride(
  { redis, clients, customers }: PreviewSource,
  { name, levels, members }: PreviewedOverride,
  nowMs: number,
): Promise<SharedOverridePreview> {
  const shared = await readSharedOverrides(redis);
  const inGroup = new Set<string>(members);
  const matches = isPattern(name) ? patternMatcher(name) : (id: string) => inGroup.has(id);
  const breathe = breathing();
  const withOwn = new Set<string>();
  const found = new Set<string>(isPattern(name) ? [] : members);
  for (const { id, override } of customers) {
    await breathe();
    if (!matches(id)) continue;
    found.add(id);
    if (override !== undefined) withOwn.add(id);
  }
  const isOverruled = (id: string) =>
    withOwn.has(id) ||
    shared
      // The one cast: ids of the directory, of groups and of statistics are of customers.
      .of(id as CustomerId)
      .some(
        (other) =>
          other.endsAt > performance.now() && inOrderOfWinning(other.name, name) < 0 && other.name !== name,
      );
  const judged = levels.filter(({ periodSeconds }) => periodSeconds <= 60 * spanMinutes);
  const seen = new Set<string>();
  const over = new Map<string, CustomerOver>();
  for (const { limit, periodSeconds } of judged.length > 0
    ? judged
    : [{ limit: Infinity, periodSeconds: 60 }]) {
    const periodMinutes = Math.max(1, Math.ceil(periodSeconds / 60));
    const windows = Math.ceil(spanMinutes / periodMinutes) + 1;
    for (const { client, peak } of await readRates(clients, {
      kind: "customer",
      periodMinutes,
      windows,
      nowMs,
    })) {
      await breathe();
      if (!matches(client)) continue;
      found.add(client);
      seen.add(client);
      if (peak <= limit || isOverruled(client)) continue;
      const known = over.get(client);
      if (!known || known.peak < peak) over.set(client, { id: client, peak, limit, periodSeconds });
    }
  }
  const worst = [...over.values()].sort((one, other) => other.peak - one.peak);
  return {
    customers: found.size,
    overruled: [...found].filter(isOverruled).length,
    seen: seen.size,
    over: worst.slice(0, mostNamed),
    overCount: worst.length,
    unjudged: levels.filter((level) => !judged.includes(level)),
  };
}
