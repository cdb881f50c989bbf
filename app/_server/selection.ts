import { DomainError } from "../../lib/errors.ts";
import type { Wanted } from "../../lib/lists/catalogue/view.ts";
import type { BulkResult } from "../../lib/lists/in-chunks.ts";
import type { ListName } from "../../lib/redis/keys.ts";
import { loadedCatalogue } from "./catalogue.ts";
import type { SignedIn } from "./session.ts";

/** More than this is not changed by a click: the number has to be typed. */
const mostUnconfirmed = 10_000;
const mostInOneCall = 10_000;

interface Given {
  readonly list: ListName;
  /** What was ticked. */
  readonly addresses?: readonly string[] | undefined;
  /** Or everything that a search finds. */
  readonly selection?: Omit<Wanted, "by"> | undefined;
  readonly confirmedCount?: number | undefined;
  readonly after?: string | undefined;
}

/** Does to what was selected what `change` does to addresses; what does not fit into one call is left for the next. */
export async function withSelected(
  { list, addresses, selection, confirmedCount, after }: Given,
  who: SignedIn,
  change: (part: { addresses: readonly string[]; after: string | undefined }) => Promise<BulkResult>,
): Promise<BulkResult> {
  if (!selection) return change({ addresses: addresses ?? [], after });
  const wanted = { ...selection, by: who.email };
  const catalogue = await loadedCatalogue();
  requireCount(catalogue.count(list, wanted), confirmedCount);
  const found = await catalogue.addressesAfter(list, wanted, { after, most: mostInOneCall + 1 });
  const part = found.slice(0, mostInOneCall);
  if (part.length === 0) return nothing;
  const result = await change({ addresses: part, after: undefined });
  const isMore = found.length > mostInOneCall;
  return { ...result, next: result.next ?? (isMore ? (part.at(-1) ?? null) : null) };
}

const nothing: BulkResult = { change: null, changes: [], done: 0, skipped: [], skippedCount: 0, next: null };

function requireCount(matching: number, confirmed: number | undefined): void {
  const isConfirmed = confirmed !== undefined && confirmed >= matching;
  if (matching <= mostUnconfirmed || isConfirmed) return;
  const message = `There are ${matching} entries. Type that number to confirm it.`;
  throw new DomainError("needs-confirmation", message, { confirmedCount: message });
}
