import { at } from "../../at.ts";
import { readNote } from "../../enforce/lists/entry.ts";
import { whyNotEnforced } from "../../enforce/lists/lockout.ts";
import type { RedisEntry } from "../../enforce/lists/lookup.ts";
import { readActiveBans } from "../../enforce/lists/pending-ban.ts";
import { type ProtectedRange, protector, readRanges } from "../../enforce/lists/protected.ts";
import { coverings, overlaps, widestEntry } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { takeSnapshot } from "../../redis/snapshot.ts";
import { scanList } from "./scan.ts";
import { commonText } from "./search.ts";

/** Blocklist entries that depend on one protected range: they are enforced only without it. */
export interface NeverBlockEffect {
  /** The first hundred. */
  readonly entries: readonly RedisEntry[];
  readonly count: number;
}

const mostShown = 100;

/** The entries that would no longer be enforced if the range were protected, or would be again if it were not. */
export async function neverBlockEffect(
  redis: Connection,
  range: Ip | Cidr,
  protectedRanges: readonly ProtectedRange[],
): Promise<NeverBlockEffect> {
  const { around, others } = await readAround(redis, range);
  const isHeldAnyway = protector([...protectedRanges, ...others]);
  const entries: RedisEntry[] = [];
  let count = 0;
  for await (const entry of touching(redis, range, around)) {
    if (whyNotEnforced("blocklist", entry.address, "string", isHeldAnyway) !== undefined) continue;
    count++;
    if (entries.length < mostShown) entries.push(entry);
  }
  return { entries, count };
}

/** The entries that cover all of the range, and the other ranges of Redis. */
async function readAround(redis: Connection, range: Ip | Cidr) {
  const places = coverings(blockOf(range), widestEntry);
  const slots = places.map((target) => ({ key: keys.entry("blocklist", target), target }));
  const seen = await takeSnapshot(redis, { slots, hashes: [keys.neverBlock()] });
  const around = places.flatMap((address, i): RedisEntry[] => {
    const held = at(seen.slots, i);
    if (held.kind !== "string") return [];
    return [{ list: "blocklist", address, note: readNote(held.value), expiresAt: held.expiresAt }];
  });
  const bans = await readActiveBans(
    redis,
    places.filter((address) => !around.some((entry) => entry.address === address)),
  );
  for (const { address, value, expiresAt } of bans)
    around.push({ list: "blocklist", address, note: readNote(value), expiresAt });
  const { ranges } = readRanges(at(seen.hashes, 0));
  return { around, others: ranges.filter((other) => other.range !== range) };
}

/** The entries that share an address with the range, each once. */
async function* touching(redis: Connection, range: Ip | Cidr, around: readonly RedisEntry[]) {
  yield* around;
  const seenAddresses = new Set(around.map(({ address }) => address));
  const block = blockOf(range);
  for await (const { text, kind, value, expiresAt } of scanList(redis, "blocklist", commonText(range))) {
    if (kind !== "string" || !isCanonical(text) || seenAddresses.has(text) || !overlaps(block, blockOf(text)))
      continue;
    yield { list: "blocklist" as const, address: text, note: readNote(value), expiresAt };
  }
}
