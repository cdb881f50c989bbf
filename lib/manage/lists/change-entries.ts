import { at, valueAt } from "../../at.ts";
import { type Note, readNote } from "../../enforce/lists/entry.ts";
import { type ProtectedRange, protector, readRanges } from "../../enforce/lists/protected.ts";
import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import type { Holding, Snapshot } from "../../redis/snapshot.ts";
import { checkReason } from "../audit/checks.ts";
import { commit, foresee, type Intent, type SlotWrite } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { addressesIn, type CoveringRanges, coveringKeys, coveringRangesOf } from "./covering-ranges.ts";
import { settleBans } from "./seal-ban.ts";

/** What every verb of the lists gets. `protectedRanges` is required: lockout protection rests on it. */
export interface ListContext extends Signed {
  /** Ranges that the environment protects; those of Redis are read with each change. */
  readonly protectedRanges: readonly ProtectedRange[];
}

/** Most entries of one change: more would hold Redis up. Longer lists go in several changes. */
export const mostAtOnce = 500;

/** A change of entries of one list, decided entry by entry. */
export interface EntryChange<Outcome> {
  readonly verb: "add" | "remove" | "extend" | "tag" | "import" | "restore" | "undo";
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  readonly reason: string;
  /** Lists whose covering entries decide, for each address and for these others. */
  readonly looksAt?: readonly ListName[];
  readonly others?: readonly (Ip | Cidr)[];
  decide(address: Ip | Cidr, found: Holding, circumstances: EntryCircumstances): EntryDecision<Outcome>;
}

/** What becomes of one entry. Without `to` it stays as it is. */
export interface EntryDecision<Outcome> {
  readonly outcome: Outcome;
  readonly to?: SlotWrite["to"];
}

/** What a decision rests on besides the entry itself. */
export interface EntryCircumstances {
  readonly list: ListName;
  readonly now: number;
  readonly actorAddress: Ip | undefined;
  /** The protected range that overlaps the address. */
  readonly protector: (address: Ip | Cidr) => ProtectedRange | undefined;
  /** Entries in force that cover the address, the most specific first; only of lists that `looksAt` names. */
  readonly covers: (list: ListName, address: Ip | Cidr) => (Ip | Cidr)[];
  /** The most specific safelist entry that covers the address. */
  readonly safelistCover: (
    address: Ip | Cidr,
  ) => { readonly address: Ip | Cidr; readonly note: Note } | undefined;
}

export interface ChangeResult<Outcome> {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  /** The record that the change is in; null when nothing had to be written. */
  readonly record: number | null;
  readonly outcomes: readonly Outcome[];
}

/** Changes entries of one list: all that may be changed in one step, with one audit record. */
export async function changeEntries<Outcome>(
  ctx: ListContext,
  wanted: EntryChange<Outcome>,
): Promise<ChangeResult<Outcome>> {
  if (wanted.list === "blocklist" && !ctx.isDryRun) await settleBans(ctx, wanted.addresses);
  const { decision, change, record } = await commit(ctx, intentOf(ctx, wanted));
  return { change, record: record?.n ?? null, outcomes: decision.outcomes };
}

/** What `changeEntries` would do now. */
export async function foreseeEntries<Outcome>(
  ctx: ListContext,
  wanted: EntryChange<Outcome>,
): Promise<readonly Outcome[]> {
  const { decision } = await foresee(ctx, intentOf(ctx, wanted));
  return decision.outcomes;
}

/** The same as an intent, for a caller that adds to its decision. */
export function intentOf<Outcome>(ctx: ListContext, wanted: EntryChange<Outcome>) {
  const { list, verb, reason, looksAt = [], others = [] } = wanted;
  const addresses = [...new Set(wanted.addresses)];
  checkInput(addresses, reason);
  // Made once for both the reading and the decision.
  const around = coveringRangesOf([...addresses, ...others]);
  return {
    action: `${list}.${verb}`,
    reason,
    slots: addresses.map((address) => ({ key: keys.entry(list, address), target: address })),
    strings: coveringKeys(around, looksAt),
    hashes: [keys.neverBlock()],
    decide(seen: Snapshot) {
      const circumstances = circumstancesOf(ctx, list, seen, around);
      const outcomes: Outcome[] = [];
      const writes: SlotWrite[] = [];
      for (const [slot, address] of addresses.entries()) {
        const { outcome, to } = wanted.decide(address, at(seen.slots, slot), circumstances);
        outcomes.push(outcome);
        if (to !== undefined) writes.push({ slot, to });
      }
      return { outcomes, writes };
    },
  } satisfies Intent<{ outcomes: Outcome[]; writes: SlotWrite[] }>;
}

function checkInput(addresses: readonly (Ip | Cidr)[], reason: string): void {
  if (addresses.length === 0)
    throw new DomainError("bad-input", "No address was given.", { address: "is missing" });
  if (addresses.length > mostAtOnce) {
    throw new DomainError(
      "bad-input",
      `At most ${mostAtOnce} addresses are changed at once; import longer lists.`,
    );
  }
  checkReason(reason);
}

function circumstancesOf(
  { actor, protectedRanges }: ListContext,
  list: ListName,
  seen: Snapshot,
  around: CoveringRanges,
): EntryCircumstances {
  const protect = protector([...protectedRanges, ...readRanges(at(seen.hashes, 0)).ranges]);
  const listed = {
    safelist: addressesIn(seen.strings, "safelist"),
    blocklist: addressesIn(seen.strings, "blocklist"),
  };
  const isInForce = (of: ListName) => (range: Ip | Cidr) =>
    listed[of].has(range) && (of === "safelist" || protect(range) === undefined);
  const covers = (of: ListName, address: Ip | Cidr) =>
    listed[of].size === 0 ? [] : valueAt(around, address).filter(isInForce(of));
  return {
    ...{ list, now: seen.now, actorAddress: actor.address, protector: protect, covers },
    safelistCover(address) {
      const [cover] = covers("safelist", address);
      const value = cover && seen.strings.get(keys.entry("safelist", cover));
      return cover && { address: cover, note: readNote(value ?? "") };
    },
  };
}
