import { commit, foresee, type Intent, type Write } from "../audit/commit.ts";
import type { Holding, Snapshot } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import { coverings } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import { keys, type ListName } from "../redis/keys.ts";
import type { Context } from "./context.ts";
import { type Refusal, refusal } from "./lockout.ts";
import { readRanges } from "./never-block-ranges.ts";
import { readNote, reasonProblem } from "./note.ts";
import { protector } from "./protected.ts";

/** More would hold Redis up; longer lists go in several changes. */
export const mostAtOnce = 500;

/** What a list change rests on besides the entries themselves. */
export interface Scene {
  readonly now: number;
  /** Why the entry may not be made, or nothing. */
  refusal(address: Ip | Cidr, isConfirmed: boolean): Refusal | undefined;
  /** Entries in force that cover the address, the most specific first; only of lists that `looksAt` names. */
  covers(list: ListName, address: Ip | Cidr): (Ip | Cidr)[];
}

/** What shall become of one entry; without `to` it stays as it is. */
export interface Step<Outcome> {
  readonly outcome: Outcome;
  readonly to?: Write["to"];
}

export interface Plan<Outcome> {
  readonly verb: "add" | "remove" | "extend" | "import" | "restore";
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  readonly reason: string;
  /** Lists whose covering entries decide, for each address and for these others. */
  readonly looksAt?: readonly ListName[];
  readonly others?: readonly (Ip | Cidr)[];
  decide(address: Ip | Cidr, found: Holding, scene: Scene): Step<Outcome>;
}

export interface Changed<Outcome> {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly outcomes: readonly Outcome[];
}

/** Changes entries of one list: all that may be changed in one step, with one audit record. */
export async function changeEntries<Outcome>(ctx: Context, plan: Plan<Outcome>): Promise<Changed<Outcome>> {
  const { decision, change } = await commit(ctx, intentOf(ctx, plan));
  return { change, outcomes: decision.outcomes };
}

/** What `changeEntries` would do now. */
export async function foreseeEntries<Outcome>(
  ctx: Context,
  plan: Plan<Outcome>,
): Promise<readonly Outcome[]> {
  const { decision } = await foresee(ctx, intentOf(ctx, plan));
  return decision.outcomes;
}

/** For who has more to say about it than `changeEntries`. */
export function intentOf<Outcome>(ctx: Context, plan: Plan<Outcome>) {
  const addresses = [...new Set(plan.addresses)];
  checkInput(addresses, plan.reason);
  const looked = [...addresses, ...(plan.others ?? [])];
  // The most costly part of a long list, so it is worked out once for both the reading and the decision.
  const around = new Map(looked.map((address) => [address, coverings(blockOf(address))]));
  const looksAt = (plan.looksAt ?? []).flatMap((list) =>
    [...around.values()].flat().map((at) => keys.entry(list, at)),
  );
  return {
    action: `${plan.list}.${plan.verb}`,
    reason: plan.reason,
    slots: addresses.map((address) => ({ key: keys.entry(plan.list, address), target: address })),
    strings: [...new Set(looksAt)],
    hashes: [keys.neverBlock()],
    decide(seen: Snapshot) {
      const scene = sceneOf(ctx, plan.list, seen, around);
      const outcomes: Outcome[] = [];
      const writes: Write[] = [];
      for (const [slot, address] of addresses.entries()) {
        const found = seen.slots[slot];
        if (!found) continue;
        const { outcome, to } = plan.decide(address, found, scene);
        outcomes.push(outcome);
        if (to !== undefined) writes.push({ slot, to });
      }
      return { outcomes, writes };
    },
  } satisfies Intent<{ outcomes: Outcome[]; writes: Write[] }>;
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
  const problem = reasonProblem(reason);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { reason: problem });
}

type Around = ReadonlyMap<Ip | Cidr, readonly (Ip | Cidr)[]>;

function sceneOf(ctx: Context, list: ListName, seen: Snapshot, around: Around): Scene {
  const neverBlock = readRanges(seen.hashes[0] ?? new Map());
  const protect = protector([...ctx.protectedRanges, ...neverBlock.ranges]);
  const isInForce = (of: ListName) => (at: Ip | Cidr) =>
    seen.strings.has(keys.entry(of, at)) && (of === "safelist" || protect(at) === undefined);
  const covers = (of: ListName, address: Ip | Cidr) => (around.get(address) ?? []).filter(isInForce(of));
  return {
    now: seen.now,
    covers,
    refusal(address, isConfirmed) {
      const [cover] = covers("safelist", address);
      const note = readNote(seen.strings.get(keys.entry("safelist", cover ?? address)) ?? "");
      const safelistCover = cover && { address: cover, note };
      return refusal(list, address, {
        protector: protect,
        actorAddress: ctx.actor.address,
        safelistCover,
        isConfirmed,
      });
    },
  };
}
