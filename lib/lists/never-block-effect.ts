import { takeSnapshot } from "../audit/snapshot.ts";
import { coverings, overlaps, widestEntry } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { Entry } from "./list.ts";
import { disobedience } from "./lockout.ts";
import { readRanges } from "./never-block-ranges.ts";
import { readNote } from "./note.ts";
import { type ProtectedRange, protector } from "./protected.ts";
import { scanList } from "./scan.ts";
import { commonText } from "./search.ts";

/** Blocklist entries that hang on one never-block range: they bite without it, and do not with it. */
export interface NeverBlockEffect {
  /** The first hundred. */
  readonly entries: readonly Entry[];
  readonly count: number;
}

const mostTold = 100;

/** What protecting the range would let through, or what no longer protecting it would stop again. */
export async function neverBlockEffect(
  redis: Connection,
  range: Ip | Cidr,
  protectedRanges: readonly ProtectedRange[],
): Promise<NeverBlockEffect> {
  const { around, others } = await readAround(redis, range);
  const isHeldAnyway = protector([...protectedRanges, ...others]);
  const entries: Entry[] = [];
  let count = 0;
  for await (const entry of touching(redis, range, around)) {
    if (disobedience("blocklist", entry.address, "string", isHeldAnyway) !== undefined) continue;
    count++;
    if (entries.length < mostTold) entries.push(entry);
  }
  return { entries, count };
}

/** The entries that cover all of the range, and the other ranges of Redis. */
async function readAround(redis: Connection, range: Ip | Cidr) {
  const places = coverings(blockOf(range), widestEntry);
  const slots = places.map((target) => ({ key: keys.entry("blocklist", target), target }));
  const seen = await takeSnapshot(redis, { slots, hashes: [keys.neverBlock()] });
  const around = places.flatMap((address, i): Entry[] => {
    const held = seen.slots[i];
    if (held?.kind !== "string") return [];
    return [{ list: "blocklist", address, note: readNote(held.value), expiresAt: held.expiresAt }];
  });
  const { ranges } = readRanges(seen.hashes[0] ?? new Map());
  return { around, others: ranges.filter((other) => other.range !== range) };
}

/** What shares an address with the range, each entry once. */
async function* touching(redis: Connection, range: Ip | Cidr, around: readonly Entry[]) {
  yield* around;
  const told = new Set(around.map(({ address }) => address));
  const block = blockOf(range);
  for await (const { text, kind, value, expiresAt } of scanList(redis, "blocklist", commonText(range))) {
    if (kind !== "string" || !isCanonical(text) || told.has(text) || !overlaps(block, blockOf(text)))
      continue;
    yield { list: "blocklist" as const, address: text, note: readNote(value), expiresAt };
  }
}
