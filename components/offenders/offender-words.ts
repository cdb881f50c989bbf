import { addressesState, type DeniedAddresses, deciderOf } from "@/components/console/client-state.ts";
import type { Tone } from "@/components/ui/tone.ts";
import { counted, countText, durationText, rateText } from "@/components/ui/value-text.ts";
import type { Offender, OffenderReading, OffendersReply } from "@/lib/queries/offenders.ts";
import type { Status } from "@/lib/queries/status.ts";
import { hasCustomer } from "./offender-view.ts";
import { periodText } from "./period-text.ts";

/** "611 of 600 per 5 min by req/ip/1": for people, and as the reason of a block. */
export function sayCount({ used, limit, periodSeconds, calendar, rule }: OffenderReading): string {
  const of = limit === null ? "" : ` of ${limit}`;
  return `${Math.round(used)}${of} per ${calendar ?? periodText(periodSeconds)} by ${rule}`;
}

/** "0.82/s, limit 0.50/s by rate/ip" */
export function sayEstimate({ used, limit, rule }: OffenderReading): string {
  return `${rateText(used)}/s${limit === null ? "" : `, limit ${rateText(limit)}/s`} by ${rule}`;
}

/** A rate in a column, with one decimal below 100: "642", "36.1", "under 0.1". */
export function perSecondText(rate: number): string {
  if (rate >= 99.95) return countText(Math.round(rate));
  if (rate === 0) return "0";
  return rate < 0.05 ? "under 0.1" : rate.toFixed(1);
}

/** Evidence of one client, as the reason of a change. */
export function evidenceOf({ counter, estimate, tool, deniedPerSecond }: Offender): string {
  const isRateWorse = estimate?.isOver === true && !counter?.isOver;
  const count = counter && !isRateWorse ? sayCount(counter) : estimate ? sayEstimate(estimate) : undefined;
  const denied = deniedPerSecond > 0 ? `${perSecondText(deniedPerSecond)} denied/s` : undefined;
  return [count, denied, tool && `uses ${tool}`].filter(Boolean).join(", ");
}

/** The same of several. */
export function evidenceOfAll(offenders: readonly Offender[]): string {
  const [only, another] = offenders;
  if (only && !another) return evidenceOf(only);
  const rate = offenders.reduce((sum, { deniedPerSecond }) => sum + deniedPerSecond, 0);
  return `${offenders.length} offenders, ${perSecondText(rate)} denied/s together`;
}

export const underLimit = "under limit";

/** Time until the client is below each limit that it is over. The window of another system's counter ends by the clock. */
export function clearsText({ clearsMs, counter, standing }: Offender): string {
  if (clearsMs !== null) return durationText(clearsMs);
  if (standing !== "unknown") return underLimit;
  return counter ? durationText(counter.resetMs) : "–";
}

/** What is done with the client's next request, as far as the row knows. */
export interface OffenderState {
  readonly tone: Tone;
  readonly text: string;
}

/** What decides the client's next request, and so what to change. */
export const decidedBy = (offender: Offender) =>
  deciderOf({
    ...{ entry: offender.listed, addresses: addressesOf(offender) },
    isThrottled: offender.standing === "throttled",
  });

/** The entry that decides, of a customer the first of those that block its addresses. */
export function decidingEntry(offender: Offender): Offender["listed"] {
  if (offender.listed) return offender.listed;
  return decidedBy(offender) === "addresses" ? offender.blockedAddresses?.entries[0] : undefined;
}

function addressesOf({ blockedAddresses }: Offender): DeniedAddresses {
  const { blocked, total } = blockedAddresses ?? { blocked: 0, total: 0 };
  return { blocked, total, throttled: 0, hasPart: false };
}

/** @param mode undefined while it is unknown */
export function stateOf(offender: Offender, mode: Status["mode"] | undefined): OffenderState {
  const { listed, standing, counter } = offender;
  const decider = decidedBy(offender);
  const byAddress = decider === "addresses" ? addressesState(addressesOf(offender)) : undefined;
  const isDenied =
    byAddress !== undefined || (listed ? listed.list === "blocklist" : standing === "throttled");
  if (mode === "off" && isDenied) return { tone: "plain", text: "Not enforced" };
  if (listed?.list === "safelist") return { tone: "safelisted", text: "Safelisted" };
  if (isDenied && mode === "shadow") return { tone: "shadow", text: "Would be denied" };
  if (listed) return { tone: "blocked", text: "Blocked" };
  // The column is narrow, and has the entry beside it.
  if (byAddress)
    return {
      tone: byAddress.tone,
      text: byAddress.says.replace(" addresses", "").replace(" by address", ""),
    };
  return standing === "unknown" && !counter ? { tone: "plain", text: "Unknown" } : states[standing];
}

const states: Readonly<Record<Offender["standing"], OffenderState>> = {
  throttled: { tone: "throttled", text: "Throttled" },
  shadow: { tone: "shadow", text: "Would be denied" },
  near: { tone: "plain", text: "Near limit" },
  unknown: { tone: "plain", text: "Limit unknown" },
  under: { tone: "plain", text: "Under limit" },
};

/** Page of a client or customer. Undefined for other clients. */
export function clientHref({ kind, client }: Pick<Offender, "kind" | "client">): string | undefined {
  if (kind === "customer") return `/customers/${encodeURIComponent(client)}`;
  return kind === "ip" ? `/clients/${encodeURIComponent(client)}` : undefined;
}

/** "27 clients denied in the last minute" */
export function sayDenied({ denied }: OffendersReply, most: number): string {
  const isAll = denied < most;
  return `${isAll ? counted(denied, "client") : `${most} or more clients`} denied in the last minute`;
}

/** "1,084 denied/s · 81% · no customers" */
export function saySelected(selected: readonly Offender[], deniedPerSecond: number): string {
  const rate = selected.reduce((sum, one) => sum + one.deniedPerSecond, 0);
  // Both are rates of the last minute, but not read at the same moment.
  const share = deniedPerSecond > 0 ? Math.min(1, rate / deniedPerSecond) : undefined;
  const parts = [
    `${perSecondText(rate)} denied/s`,
    ...(share === undefined || rate === 0 ? [] : [`${Math.round(100 * share)}%`]),
    sayCustomers(selected),
  ];
  return parts.join(" · ");
}

/** "no customers", "customer acme", "2 customers", "customers unknown" */
export function sayCustomers(clients: readonly Offender[]): string {
  const names = new Set(clients.filter(hasCustomer).flatMap(({ customers }) => customers ?? []));
  const [only] = names;
  if (only === undefined)
    return clients.some(({ customers }) => customers === null) ? "customers unknown" : "no customers";
  return names.size === 1 ? `customer ${only}` : counted(names.size, "customer");
}
