import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { misspelling } from "../flags.ts";
import { disobedience } from "../lockout.ts";
import type { ProtectedRange } from "../protected.ts";
import { flag } from "./rows.ts";
import type { Shelf } from "./shelf.ts";

/** An entry as a page shows it. */
export interface ListedEntry {
  /** As it stands in Redis: a foreign writer may have spelled anything. */
  readonly address: string;
  readonly isRange: boolean;
  readonly reason: string;
  readonly by?: string;
  readonly via?: string;
  /** ISO */
  readonly at?: string;
  /** Ms; null for never. */
  readonly expiresAt: number | null;
  /** What it had when it was written; null when it never ends, or nobody said when it was written. */
  readonly lifeMs: number | null;
  /** The entry of the other list that covers it. The safelist wins. */
  readonly other?: { readonly list: ListName; readonly address: string };
  /** Why nodes do not obey it. */
  readonly flag?: string;
}

export interface Surroundings {
  /** The other list. */
  readonly other: Shelf;
  readonly protector: (address: Ip | Cidr) => ProtectedRange | undefined;
  /** Ms of the monotonic clock. */
  readonly now: number;
  /** What to add to it for the time of day. */
  readonly offset: number;
}

export function listed(shelf: Shelf, row: number, around: Surroundings): ListedEntry {
  const { rows } = shelf;
  const note = shelf.note(row);
  const endsAt = rows.endsAt(row);
  const expiresAt = endsAt === Number.POSITIVE_INFINITY ? null : Math.round(endsAt + around.offset);
  const lifeMs = expiresAt === null || note.at === undefined ? null : expiresAt - Date.parse(note.at);
  const fault = faultOf(shelf, row, around);
  const other = fault === undefined ? otherOf(shelf, row, around) : undefined;
  return {
    address: shelf.address(row),
    isRange: (rows.flags(row) & flag.isRange) !== 0,
    ...note,
    expiresAt,
    lifeMs: lifeMs !== null && lifeMs > 0 ? lifeMs : null,
    ...(other !== undefined && { other }),
    ...(fault !== undefined && { flag: fault }),
  };
}

function faultOf(shelf: Shelf, row: number, { protector }: Surroundings): string | undefined {
  const text = shelf.address(row);
  return isCanonical(text)
    ? disobedience(shelf.list, text, shelf.kind(row), protector)
    : misspelling(shelf.list, text);
}

function otherOf(shelf: Shelf, row: number, { other, now }: Surroundings): ListedEntry["other"] {
  const block = shelf.rows.block(row);
  const found = block && other.inForce(block, now);
  return found === undefined ? undefined : { list: other.list, address: other.address(found) };
}
