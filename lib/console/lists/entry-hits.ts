import { hitsOf, type ListHits } from "../../observe/stats/entry-hits.ts";
import type { KnownHits, ListEntry } from "../../queries/entries.ts";
import type { ListName } from "../../redis/keys.ts";
import { inTime } from "../in-time.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

/** What pages show of the hits of a list's entries. */
interface ShownHits {
  readonly asOf: number;
  readonly known: KnownHits;
  /** Entries with hits, the busiest first. */
  readonly busiest: readonly string[];
  of(address: string): NonNullable<ListEntry["hits"]>;
}

const freshMs = 2_000;
/** The entries are in the console's own copy: a late count must not hold them up. */
const patienceMs = 300;

/** Undefined where Redis did not answer in time: the hits are unknown then, and the entries are not. */
export function entryHits(list: ListName): Promise<ShownHits | undefined> {
  return inTime(
    shared(`hits ${list}`, freshMs, () => readHits(list)).catch(() => undefined),
    patienceMs,
  );
}

async function readHits(list: ListName): Promise<ShownHits> {
  const hits = await theStatistics().entryHits.read(list, await redisNowMs());
  const busiest = [...hits.byAddress].sort(([, a], [, b]) => b.hour - a.hour || b.day - a.day);
  return {
    asOf: hits.asOf,
    known: {
      isReported: hits.knownSince !== undefined,
      since: isWholeDay(hits) ? null : (hits.knownSince ?? null),
      unknown: hits.unknown,
    },
    busiest: busiest.map(([address]) => address),
    of(address) {
      const { hour = null, day = null, recent } = hitsOf(hits, address);
      return { hour, day, recent: [...recent] };
    },
  };
}

const dayMs = 86_400_000;

function isWholeDay({ asOf, knownSince }: ListHits): boolean {
  return knownSince !== undefined && knownSince <= asOf - dayMs;
}

/** A page of entries, each with its hits. */
export function withHits<Page extends { readonly entries: readonly { readonly address: string }[] }>(
  page: Page,
  hits: ShownHits | undefined,
) {
  if (!hits) return page;
  const entries = page.entries.map((entry) => ({ ...entry, hits: hits.of(entry.address) }));
  return { ...page, entries, hits: hits.known };
}
