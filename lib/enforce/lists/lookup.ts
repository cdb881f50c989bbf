import { at } from "../../at.ts";
import { type Block, coverings } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { RangeList } from "../../ip/range-list.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { type Holding, takeSnapshot } from "../../redis/snapshot.ts";
import { type Note, readNote } from "./entry.ts";
import { isEnforced, whyNotEnforced } from "./lockout.ts";
import { type BanLengths, isBannable, isBanOf } from "./pending-ban.ts";
import { type ProtectedRange, protector, readRanges } from "./protected.ts";
import type { EntryLists } from "./replica.ts";

export interface RedisEntry {
  readonly list: ListName;
  readonly address: Ip | Cidr;
  readonly note: Note;
  /** In ms; null for never. */
  readonly expiresAt: number | null;
}

/** An entry that covers an address. */
export interface CoveringEntry extends RedisEntry {
  /** Why the entry is not enforced. Undefined when it is. */
  readonly notEnforcedBecause?: string;
}

const anyWidth = { 4: 0, 6: 0 } as const;

/** Every entry that covers the whole block, safelist first, most specific first. All are read at one moment. */
export async function findCovering(
  redis: Connection,
  block: Block,
  protectedRanges: readonly ProtectedRange[],
): Promise<CoveringEntry[]> {
  const places = placesOf(block);
  const slots = [
    ...places.map(({ list, address }) => ({ key: keys.entry(list, address), target: address })),
    ...places.filter(mayBeBan).map(({ address }) => ({ key: keys.ban(address), target: address })),
  ];
  const seen = await takeSnapshot(redis, { slots, hashes: [keys.neverBlock()] });
  const held = new Map(slots.map(({ key }, i) => [key, at(seen.slots, i)]));
  const neverBlock = readRanges(at(seen.hashes, 0));
  return coveringIn(held, block, [...protectedRanges, ...neverBlock.ranges]);
}

/** What a key of an entry holds. */
export type EntryHolding = Pick<Holding, "kind" | "value" | "expiresAt">;

/** The same of what is held, by key. */
export function coveringIn(
  holdings: ReadonlyMap<string, EntryHolding>,
  block: Block,
  protectedRanges: readonly ProtectedRange[],
): CoveringEntry[] {
  const protect = protector(protectedRanges);
  return placesOf(block).flatMap((place): CoveringEntry[] => {
    const { list, address } = place;
    const entry = holdings.get(keys.entry(list, address));
    const ban = mayBeBan(place) ? holdings.get(keys.ban(address)) : undefined;
    // A key of another type is no entry, so the ban of the same address is enforced.
    const held = entry?.kind !== "string" && ban && isBanInForce(ban) ? ban : entry;
    if (!held || held.kind === "none") return [];
    const notEnforcedBecause = whyNotEnforced(list, address, held.kind, protect);
    const { value, expiresAt } = held;
    return [
      { list, address, note: readNote(value), expiresAt, ...(notEnforcedBecause && { notEnforcedBecause }) },
    ];
  });
}

interface EntryPlace {
  readonly list: ListName;
  readonly address: Ip | Cidr;
}

function placesOf(block: Block): EntryPlace[] {
  return listNames.flatMap((list) => coverings(block, anyWidth).map((address) => ({ list, address })));
}

function mayBeBan({ list, address }: EntryPlace): boolean {
  return list === "blocklist" && isBannable(blockOf(address));
}

/** A ban always ends. */
function isBanInForce({ kind, expiresAt }: EntryHolding): boolean {
  return kind === "string" && expiresAt !== null;
}

/** The entry that decides: the first that is enforced. */
export function decisiveOf(covering: readonly CoveringEntry[]): CoveringEntry | undefined {
  return covering.find(({ notEnforcedBecause }) => notEnforcedBecause === undefined);
}

/**
 * The same question without a replica: one MGET of the address and every range that may cover it, on both lists and banned.
 *
 * @param protectedRanges called when an entry is found; by then they are read, too
 * @param banLengths the same of a ban; without it, bans of all networks count
 */
export async function askLists(
  redis: Connection,
  client: Block,
  protectedRanges: () => RangeList,
  banLengths?: () => BanLengths,
): Promise<EntryLists> {
  const candidates = coverings(client);
  const names = [
    ...listNames.flatMap((list) => candidates.map((at) => keys.entry(list, at))),
    ...candidates.filter((at) => isBannable(blockOf(at))).map(keys.ban),
  ];
  const values = await redis.mget(names);
  const held = new Set(names.filter((_, i) => values[i] != null));
  const isListed = (list: ListName, at: Ip | Cidr) =>
    held.has(keys.entry(list, at)) ||
    (list === "blocklist" && held.has(keys.ban(at)) && (!banLengths || isBanOf(banLengths(), blockOf(at))));
  return {
    match: (list: ListName) =>
      candidates.find((at) => isListed(list, at) && isEnforced(list, blockOf(at), protectedRanges())),
  };
}
