import { sayNoOwner } from "@/components/console/owner-words.ts";
import { endInWords, forHowLong } from "@/components/console/time-words.ts";
import { rangeSize } from "@/components/lists/list-words.ts";
import { counted, countText } from "@/components/ui/value-text.ts";
import { format, isWhole, widened } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";
import type { ClientReply, Listings, Reach } from "@/lib/queries/client.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { isRange } from "./activity.ts";

/** Requests of the client in the last 24 h. Those of a range are known by samples alone. */
export function sayDay({ client, day, apps }: Pick<ClientReply, "client" | "day" | "apps">): string {
  if (day === null) return "Requests in the last 24 h: unknown";
  const requests = day.minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const denied = day.minutes.reduce((sum, minute) => sum + minute.denied, 0);
  if (requests === 0) return "No request recorded in the last 24 h";
  const least = isRange(client) ? "At least " : "";
  return `${least}${counted(requests, "request")} in the last 24 h, ${countText(denied)} denied · ${counted(apps.length, "app")}`;
}

/** Why a client with requests has no sample. */
export function sayNoSamples({ day }: Pick<ClientReply, "day">): string {
  if (day === null || day.minutes.length === 0) return "No request recorded in the last 24 h.";
  return "No samples: they are kept for the 2,000 addresses with most denials and the 1,000 with most other requests.";
}

/** "Blocked for 24 hours, until 28 Mar, 14:32 UTC", "Removed from the safelist", "Block expiry changed to 28 Mar, 14:32 UTC". */
export function sayListing({ list, at, before, after }: Listings["records"][number], now: number): string {
  const isBlock = list === "blocklist";
  if (!after) return `Removed from the ${list}`;
  const end = endInWords(after.expiresAt, now);
  if (before) return `${isBlock ? "Block" : "Safelisting"} expiry changed to ${end}`;
  const life = after.expiresAt === null ? null : lifeOf(after.expiresAt - Date.parse(at));
  return `${isBlock ? "Blocked" : "Safelisted"} ${forHowLong(life)}, until ${end}`.replace(
    ", until never",
    "",
  );
}

/** Duration as it was chosen. An entry is written shortly after the time of its record. */
function lifeOf(ms: number): number {
  const unit = ms >= 3_600_000 ? 60_000 : 1_000;
  return Math.round(ms / unit) * unit;
}

/** Estimate after this many seconds without a request. */
export function decayed(estimate: number, halfLifeSeconds: number, seconds: number): number {
  return estimate * 2 ** (-seconds / halfLifeSeconds);
}

/** Distance from the limit, in whole requests. */
export function sayRoom(used: number, limit: number): string {
  const room = Math.floor(limit - used);
  if (room >= 1) return `under, ${countText(room)} left`;
  return used > limit ? `over by ${countText(Math.ceil(used - limit))}` : "at the limit";
}

/** Effect that an entry would have had in the last hour. */
export function sayReach(list: ListName, { requests, denied, clients }: Reach): string {
  if (requests === 0) return "No client in it was among the busiest in the last hour";
  const by = `${counted(requests, "request")} of ${counted(clients, "client")}`;
  if (list === "blocklist") return `Would have denied ${by} in the last hour${alreadyDenied(denied)}`;
  return denied === 0
    ? `Would have changed nothing for ${by} in the last hour: none was denied`
    : `Would have let ${counted(denied, "denied request")} pass in the last hour, of ${by}`;
}

function alreadyDenied(denied: number): string {
  return denied === 0 ? "" : `; ${countText(denied)} ${denied === 1 ? "was" : "were"} denied anyway`;
}

export function sayWhose({ customers, customersKnownSince, asOf }: Reach): string {
  if (customers === null) return "Customers unknown: they failed to load";
  return customers.length > 0
    ? `${counted(customers.length, "customer")} among them`
    : sayNoOwner({ knownSince: customersKnownSince, asOf });
}

/** Prefix lengths of networks that one owner usually has, around an address. */
const lengths = { 4: [24], 6: [64, 48] } as const;

/** Choices on the page of a client: the client, and the ranges around it. */
export function rangesOf(client: string) {
  const block = readBlock(client);
  if (!block) return [];
  const around = lengths[block.family].filter((length) => length < block.length);
  return [block, ...around.map((length) => widened(block, length))].map((one) => ({
    address: format(one),
    size: isWhole(one) ? "only this address" : rangeSize(format(one)),
  }));
}
