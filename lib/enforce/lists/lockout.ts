import type { ErrorCode } from "../../errors.ts";
import { type Block, covers, widestEntry } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { RangeList } from "../../ip/range-list.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Note } from "./entry.ts";
import type { ProtectedRange } from "./protected.ts";

/** Ranges wider than this want a second thought. */
const widestUnconfirmed = { 4: 24, 6: 48 } as const;

export interface Circumstances {
  readonly protector: (address: Ip | Cidr) => ProtectedRange | undefined;
  /** Where the actor sits. */
  readonly actorAddress?: Ip | undefined;
  /** The safelist entry that covers the address, if there is one. */
  readonly safelistCover?: { readonly address: Ip | Cidr; readonly note: Note } | undefined;
  /** The actor has typed the range again. */
  readonly isConfirmed: boolean;
}

export interface LockoutRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Which of the rules it is. */
  readonly why: "too-wide" | "own" | "protected" | "safelisted" | "confirm";
}

/** Lockout protection: why this entry may not be made. Undefined when it may. */
export function refusal(
  list: ListName,
  address: Ip | Cidr,
  around: Circumstances,
): LockoutRefusal | undefined {
  const block = blockOf(address);
  if (isTooWide(block))
    return locks(
      "too-wide",
      `${address} is wider than /${widestEntry[block.family]}: no list takes so much.`,
    );
  return (
    (list === "blocklist" ? blockRefusal(address, block, around) : undefined) ??
    unconfirmed(address, block, around)
  );
}

function blockRefusal(address: Ip | Cidr, block: Block, around: Circumstances): LockoutRefusal | undefined {
  const { actorAddress, protector, safelistCover } = around;
  const isRange = address.includes("/");
  if (actorAddress && covers(block, blockOf(actorAddress))) {
    return locks(
      "own",
      isRange ? `${address} contains your own address, ${actorAddress}.` : `${address} is your own address.`,
    );
  }
  const hit = protector(address);
  if (hit)
    return locks(
      "protected",
      `${address} ${hit.range === address ? "is" : `overlaps ${hit.range}, which is`} ${hit.why}.`,
    );
  if (!safelistCover) return undefined;
  const { address: cover, note } = safelistCover;
  const who = `${note.by ? `added by ${note.by}` : "added by an unknown author"}${note.reason ? `: ${note.reason}` : ""}`;
  return locks(
    "safelisted",
    `${address} is safelisted by ${cover} (${who}), and the safelist wins. Remove that entry first.`,
  );
}

function unconfirmed(
  address: Ip | Cidr,
  block: Block,
  { isConfirmed }: Circumstances,
): LockoutRefusal | undefined {
  const limit = widestUnconfirmed[block.family];
  if (isConfirmed || block.length >= limit) return undefined;
  return {
    code: "needs-confirmation",
    why: "confirm",
    message: `${address} is wider than /${limit}. Type it again to confirm it.`,
  };
}

function locks(why: LockoutRefusal["why"], message: string): LockoutRefusal {
  return { code: "lockout", why, message };
}

/** Whether an entry is enforced, by any writer. In doubt no client is locked out. */
export function isEnforced(list: ListName, block: Block, protectedRanges: RangeList): boolean {
  if (isTooWide(block)) return false;
  return list === "safelist" || protectedRanges.overlapping(block) === undefined;
}

/** Why an entry in Redis is not enforced. Undefined when it is. */
export function whyNotEnforced(
  list: ListName,
  address: Ip | Cidr,
  kind: string,
  protector: Circumstances["protector"],
): string | undefined {
  const block = blockOf(address);
  if (kind !== "string") return `it is a ${kind}, and an entry is a string`;
  if (isTooWide(block)) return `it is wider than /${widestEntry[block.family]}`;
  const hit = list === "blocklist" ? protector(address) : undefined;
  return hit && `it overlaps ${hit.range}, ${hit.why}`;
}

function isTooWide(block: Block): boolean {
  return block.length < widestEntry[block.family];
}
