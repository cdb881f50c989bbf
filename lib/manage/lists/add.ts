import { oneWeekMs } from "../../enforce/lists/entry.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { type AddOutcome, additionOf, checkTtl } from "./admission.ts";
import { type ChangeResult, changeEntries, type ListContext } from "./change-entries.ts";
import { lifeOf } from "./life.ts";
import type { TagChange } from "./tags.ts";

export interface AddInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  /** A week unless given; null never expires. */
  readonly ttlMs?: number | null;
  readonly reason: string;
  /** Wide ranges that were typed a second time. */
  readonly confirmed?: readonly (Ip | Cidr)[];
  /** Allows an entry to end earlier than it would. */
  readonly force?: boolean;
  /** Without it, an entry that exists keeps its tags. */
  readonly tags?: TagChange | undefined;
}

/** Adds entries to a list. Adding an entry again extends its life and never shortens it, unless forced. */
export async function addEntries(ctx: ListContext, input: AddInput): Promise<ChangeResult<AddOutcome>> {
  const { list, addresses, ttlMs = oneWeekMs, reason, confirmed = [], force = false, tags } = input;
  checkTtl(ttlMs);
  const life = lifeOf(ttlMs);
  const sure = new Set(confirmed);
  const termsOf = (address: Ip | Cidr) => ({
    life,
    reason,
    isConfirmed: sure.has(address),
    mayShorten: force,
    tags,
  });
  return changeEntries(ctx, additionOf(ctx, { verb: "add", list, addresses, reason }, termsOf));
}
