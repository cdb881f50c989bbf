import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { covers } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { RefusedEntry } from "./admission.ts";
import {
  type ChangeResult,
  changeEntries,
  type EntryCircumstances,
  type ListContext,
  mostAtOnce,
} from "./change-entries.ts";

export interface RemoveInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  readonly reason: string;
}

export type RemoveOutcome =
  | {
      readonly address: Ip | Cidr;
      readonly outcome: "removed" | "absent";
      /** Entries of the same list that still cover the address. */
      readonly coveredBy: readonly (Ip | Cidr)[];
    }
  | RefusedEntry;

/** Removes entries from a list, also keys of foreign writers that are not entries. */
export async function removeEntries(
  ctx: ListContext,
  input: RemoveInput,
): Promise<ChangeResult<RemoveOutcome>> {
  const { list, addresses, reason } = input;
  const own = list === "safelist" ? ctx.actor.address : undefined;
  return changeEntries<RemoveOutcome>(ctx, {
    ...{ verb: "remove", list, addresses, reason },
    looksAt: own ? ["safelist", "blocklist"] : [list],
    others: own ? [own] : [],
    decide(address, found, { covers: coversOf }) {
      const coveredBy = coversOf(list, address).filter((range) => !addresses.includes(range));
      if (found.kind === "none") return { outcome: { address, outcome: "absent", coveredBy } };
      const message = own && exposure(own, address, addresses, coversOf);
      if (message) return { outcome: { address, outcome: "refused", code: "lockout", message } };
      return { outcome: { address, outcome: "removed", coveredBy }, to: null };
    },
  });
}

/** Why removing this safelist entry, the last that covers the actor, would block the actor. */
export function exposure(
  own: Ip,
  address: Ip | Cidr,
  removed: readonly (Ip | Cidr)[],
  coversOf: EntryCircumstances["covers"],
): string | undefined {
  if (!covers(blockOf(address), blockOf(own))) return undefined;
  const isShielded = coversOf("safelist", own).some((range) => !removed.includes(range));
  const [block] = coversOf("blocklist", own);
  if (isShielded || !block) return undefined;
  return `Without ${address} on the safelist your own address, ${own}, would be blocked by ${block}.`;
}

interface StrayInput {
  readonly list: ListName;
  /** The part of the key after the list's prefix. */
  readonly texts: readonly string[];
  readonly reason: string;
}

export interface StrayOutcome {
  readonly address: string;
  readonly outcome: "removed" | "absent";
}

/** Removes keys of foreign writers under a list's prefix whose text is not an address as Sluice writes it. */
export async function removeStrays(
  ctx: ListContext,
  { list, texts, reason }: StrayInput,
): Promise<ChangeResult<StrayOutcome>> {
  checkReason(reason);
  if (texts.length > mostAtOnce || texts.some(isCanonical))
    throw new DomainError(
      "bad-input",
      `Up to ${mostAtOnce} keys that are no addresses can be removed at once.`,
    );
  const { decision, change, record } = await commit(ctx, {
    action: `${list}.remove`,
    reason,
    slots: texts.map((text) => ({ key: `${keys.entryPrefix(list)}${text}`, target: text })),
    decide({ slots }) {
      const found = texts.map((_, slot) => at(slots, slot).kind !== "none");
      return {
        outcomes: texts.map((address, i) => ({ address, outcome: found[i] ? "removed" : "absent" }) as const),
        writes: texts.flatMap((_, slot) => (found[slot] ? [{ slot, to: null }] : [])),
      };
    },
  });
  return { change, record: record?.n ?? null, outcomes: decision.outcomes };
}
