import type { DeniedAddresses } from "@/components/console/client-state.ts";
import { momentText } from "@/components/ui/value-text.ts";
import type { CustomerAddress, CustomerAddresses } from "@/lib/queries/owners.ts";

/** An address from which the customer's next request is denied by something else than its own limits. */
export function isDenied({ entry, rule }: CustomerAddress): boolean {
  return entry !== null || rule !== null;
}

/** An IPv6 network of which the blocklist has a part. */
export function isPartlyBlocked(one: CustomerAddress): boolean {
  return one.blockedInside > 0 && !isDenied(one);
}

export function deniedAddresses({ addresses, total }: CustomerAddresses): DeniedAddresses {
  const blocked = addresses.filter(({ entry }) => entry !== null).length;
  const throttled = addresses.filter(({ entry, rule }) => entry === null && rule !== null).length;
  return { blocked, throttled, total, hasPart: addresses.some(isPartlyBlocked) };
}

/** Which addresses are denied, and the effect. */
export function sayDenied({ addresses, total }: CustomerAddresses): string {
  const blocked = addresses.filter(({ entry }) => entry);
  const throttled = addresses.filter(({ rule }) => rule);
  return [
    ...(blocked.length > 0
      ? [`${sayWhich(blocked, total)} on the blocklist. ${sayEffect(blocked.length === total)} 403.`]
      : []),
    ...addresses
      .filter(isPartlyBlocked)
      .map(
        ({ address }) =>
          `A part of its network ${address} is on the blocklist. Requests from that part get 403.`,
      ),
    ...(throttled.length > 0 ? [`${sayWhich(throttled, total)} throttled.`] : []),
  ].join(" ");
}

function sayWhich(denied: readonly CustomerAddress[], total: number): string {
  const [first] = denied;
  if (first && denied.length === 1)
    return total === 1 ? `Its only known address, ${first.address}, is` : `Its address ${first.address} is`;
  return `${denied.length} of its ${total} addresses are`;
}

const sayEffect = (isAll: boolean) => (isAll ? "All of its requests get" : "Requests from there get");

/** "by oncall@example.org, since 28 Mar, 14:34 UTC" */
export function sayAuthor({ by, at }: Pick<NonNullable<CustomerAddress["entry"]>, "by" | "at">, now: number) {
  const since = at === null ? "" : `, since ${momentText(Date.parse(at), now)} UTC`;
  return `${by === null ? "added by another program" : `by ${by}`}${since}`;
}

/** Addresses that were not checked. Undefined if all were. */
export function sayUnchecked({ addresses, total }: CustomerAddresses): string | undefined {
  if (total <= addresses.length) return undefined;
  return `Only the latest ${addresses.length} of its ${total} addresses are checked.`;
}
