import type { ErrorCode } from "../errors.ts";
import { type Block, covers, widestEntry } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import type { RangeList } from "../ip/range-list.ts";
import type { ListName } from "../redis/keys.ts";
import type { Note } from "./note.ts";
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

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Which of the rules it is. */
  readonly why: "too-wide" | "own" | "protected" | "safelisted" | "confirm";
}

/** Nobody locks the house: why this entry may not be made, or nothing when it may. */
export function refusal(list: ListName, address: Ip | Cidr, around: Circumstances): Refusal | undefined {
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

function blockRefusal(address: Ip | Cidr, block: Block, around: Circumstances): Refusal | undefined {
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
  const who = `${note.by ? `added by ${note.by}` : "added by somebody unnamed"}${note.reason ? `: ${note.reason}` : ""}`;
  return locks(
    "safelisted",
    `${address} is safelisted by ${cover} (${who}), and the safelist wins. Remove that entry first.`,
  );
}

function unconfirmed(address: Ip | Cidr, block: Block, { isConfirmed }: Circumstances): Refusal | undefined {
  const limit = widestUnconfirmed[block.family];
  if (isConfirmed || block.length >= limit) return undefined;
  return {
    code: "needs-confirmation",
    why: "confirm",
    message: `${address} is wider than /${limit}. Type it again to confirm it.`,
  };
}

function locks(why: Refusal["why"], message: string): Refusal {
  return { code: "locks-the-house", why, message };
}

/** Does an entry bite, whoever wrote it? For the guard; in doubt nobody is locked out. */
export function isObeyed(list: ListName, block: Block, protectedRanges: RangeList): boolean {
  if (isTooWide(block)) return false;
  return list === "safelist" || protectedRanges.overlapping(block) === undefined;
}

/** Why an entry that stands in Redis does not bite; nothing when it does. */
export function disobedience(
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
