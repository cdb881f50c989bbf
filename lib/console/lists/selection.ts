import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import type { BulkResult, CallPart } from "../../manage/lists/in-chunks.ts";
import type { EntryQuery } from "../../observe/catalogue/view.ts";
import type { ListName } from "../../redis/keys.ts";
import { loadedCatalogue } from "../catalogue.ts";
import type { SignedIn } from "../session/session.ts";

/** More than this is not changed by a click: the number has to be typed. */
const mostUnconfirmed = 10_000;
const mostInOneCall = 10_000;

interface BulkInput {
  readonly list: ListName;
  /** What was ticked. */
  readonly addresses?: readonly string[] | undefined;
  /** Or everything that a search finds. */
  readonly selection?: Omit<EntryQuery, "by"> | undefined;
  readonly confirmedCount?: number | undefined;
  readonly after?: string | undefined;
}

interface Some {
  readonly addresses: readonly string[];
  readonly after: string | undefined;
  readonly part?: CallPart;
}

/** Does to what was selected what `change` does to addresses; what does not fit into one call is left for the next. */
export async function withSelected(
  { list, addresses, selection, confirmedCount, after }: BulkInput,
  who: SignedIn,
  change: (some: Some) => Promise<BulkResult>,
): Promise<BulkResult> {
  if (!selection) return change({ addresses: addresses ?? [], after });
  const wanted = { ...selection, by: who.email };
  const catalogue = await loadedCatalogue();
  const count = catalogue.count(list, wanted);
  requireCount(count, confirmedCount);
  const found = await catalogue.addressesAfter(list, wanted, { after, most: mostInOneCall + 1 });
  const some = found.slice(0, mostInOneCall);
  const isMore = found.length > mostInOneCall;
  const call = {
    of: JSON.stringify(selection),
    wanted: count,
    isLast: !isMore,
    isContinued: after !== undefined,
  };
  const result = await change({ addresses: some, after: undefined, part: call });
  return { ...result, next: result.next ?? (isMore ? at(some, some.length - 1) : null) };
}

function requireCount(matching: number, confirmed: number | undefined): void {
  const isConfirmed = confirmed !== undefined && confirmed >= matching;
  if (matching <= mostUnconfirmed || isConfirmed) return;
  const message = `There are ${matching} entries. Type that number to confirm it.`;
  throw new DomainError("needs-confirmation", message, { confirmedCount: message });
}
