import { whyNotEnforced } from "../../enforce/lists/lockout.ts";
import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { misspelling } from "../lists/flags.ts";
import type { ListTable } from "./list-table.ts";
import { flag } from "./rows.ts";

/** An entry as a page shows it. */
export interface CatalogueEntry {
  /** As it is spelled in Redis: a foreign writer may have written anything. */
  readonly address: string;
  readonly isRange: boolean;
  readonly reason: string;
  readonly by?: string;
  readonly via?: string;
  /** ISO */
  readonly at?: string;
  readonly tags?: readonly string[];
  /** Ms; null for never. */
  readonly expiresAt: number | null;
  /** Its life when it was written; null when it never expires, or the time of writing is unknown. */
  readonly lifeMs: number | null;
  /** The entry of the other list that covers it. The safelist wins. */
  readonly other?: { readonly list: ListName; readonly address: string };
  /** Why nodes do not enforce it. */
  readonly flag?: string;
}

export interface Surroundings {
  /** The other list. */
  readonly other: ListTable;
  readonly protector: (address: Ip | Cidr) => ProtectedRange | undefined;
  /** Ms of the monotonic clock. */
  readonly now: number;
  /** The offset from it to the time of day. */
  readonly offset: number;
}

export function listed(table: ListTable, row: number, around: Surroundings): CatalogueEntry {
  const { rows } = table;
  const note = table.note(row);
  const endsAt = rows.endsAt(row);
  const expiresAt = endsAt === Number.POSITIVE_INFINITY ? null : Math.round(endsAt + around.offset);
  const lifeMs = expiresAt === null || note.at === undefined ? null : expiresAt - Date.parse(note.at);
  const fault = faultOf(table, row, around);
  const other = fault === undefined ? otherOf(table, row, around) : undefined;
  return {
    address: table.address(row),
    isRange: (rows.flags(row) & flag.isRange) !== 0,
    ...note,
    expiresAt,
    lifeMs: lifeMs !== null && lifeMs > 0 ? lifeMs : null,
    ...(other !== undefined && { other }),
    ...(fault !== undefined && { flag: fault }),
  };
}

function faultOf(table: ListTable, row: number, { protector }: Surroundings): string | undefined {
  const text = table.address(row);
  return isCanonical(text)
    ? whyNotEnforced(table.list, text, table.kind(row), protector)
    : misspelling(table.list, text);
}

function otherOf(table: ListTable, row: number, { other, now }: Surroundings): CatalogueEntry["other"] {
  const block = table.rows.block(row);
  const found = block && other.inForce(block, now);
  return found === undefined ? undefined : { list: other.list, address: other.address(found) };
}
