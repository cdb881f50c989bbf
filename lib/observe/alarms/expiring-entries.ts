import { madeOnce } from "../../at.ts";
import type { Happening } from "../../manage/alarms/happening.ts";
import type { ListName } from "../../redis/keys.ts";
import type { CatalogueEntry } from "../catalogue/listing.ts";

const dayMs = 86_400_000;
/** Shorter entries are meant to end. */
const leastLifeMs = 3 * dayMs;
/** From now to the end of tomorrow. */
export const longestNoticeMs = 2 * dayMs;

const mostNamed = 5;

/**
 * Entries of a list that were made for long and expire today or tomorrow, one incident for each day: who wants to keep some gets one
 * message for all of them.
 */
export function expiringStates(
  list: ListName,
  expiring: readonly CatalogueEntry[],
  now: number,
): Happening[] {
  const days = new Map<number, string[]>();
  for (const { address, expiresAt, lifeMs, via } of expiring) {
    if (expiresAt === null || expiresAt <= now || via?.startsWith("auto:")) continue;
    const day = Math.floor(expiresAt / dayMs);
    if ((lifeMs ?? 0) < leastLifeMs || day > Math.floor(now / dayMs) + 1) continue;
    madeOnce(days, day, () => []).push(address);
  }
  return [...days].map(([day, addresses]) => stateOf(list, new Date(day * dayMs), addresses, now));
}

function stateOf(list: ListName, day: Date, addresses: readonly string[], now: number): Happening {
  const date = day.toISOString().slice(0, 10);
  const names = addresses.slice(0, mostNamed).join(", ");
  const more = addresses.length - mostNamed;
  const isOne = addresses.length === 1;
  return {
    ...{ kind: "expiry", cause: `expiry ${list} ${date}`, path: `/${list}?facet=expiring`, at: now },
    title: `${isOne ? "1 entry" : `${addresses.length} entries`} of the ${list} ${isOne ? "expires" : "expire"} on ${date}`,
    text: `${names}${more > 0 ? ` and ${more} more` : ""}. Extend what must stay`,
  };
}
