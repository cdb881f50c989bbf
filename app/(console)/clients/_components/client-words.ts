import { counted } from "../../../../components/ui/count-text.ts";
import type { ClientReply, Listings } from "../../../../lib/queries/client.ts";
import { endInWords, forHowLong } from "../../_lists/time-words.ts";

/** What a block would have hit in the last hour: said before it is made. */
export function sayHour({ minutes, customers, apps }: ClientReply): string {
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const denied = minutes.reduce((sum, minute) => sum + minute.denied, 0);
  if (requests === 0) return "Not among the busiest in the last hour";
  const whom =
    customers.length === 0
      ? "no customer"
      : `${counted(customers.length, "customer")}: ${namesOf(customers)}`;
  return `${counted(requests, "request")} in the last hour, ${denied} denied · ${counted(apps.length, "app")} · ${whom}`;
}

function namesOf(customers: ClientReply["customers"]): string {
  const shown = customers.slice(0, 3).map(({ text }) => text);
  return `${shown.join(", ")}${customers.length > shown.length ? " …" : ""}`;
}

/** "Blocked for 24 hours, until 28 Mar, 14:32 UTC", "Off the safelist", "Block ends at 28 Mar, 14:32 UTC now". */
export function sayListing({ list, at, before, after }: Listings["records"][number], now: number): string {
  const isBlock = list === "blocklist";
  if (!after) return `Off the ${list}`;
  const end = endInWords(after.expiresAt, now);
  if (before) return `${isBlock ? "Block" : "Safelisting"} set to end: ${end}`;
  const life = after.expiresAt === null ? null : lifeOf(after.expiresAt - Date.parse(at));
  return `${isBlock ? "Blocked" : "Safelisted"} ${forHowLong(life)}, until ${end}`.replace(
    ", until never",
    "",
  );
}

/** As it was chosen: an entry is written a moment after its record is dated. */
function lifeOf(ms: number): number {
  const unit = ms >= 3_600_000 ? 60_000 : 1_000;
  return Math.round(ms / unit) * unit;
}

/** The estimate that is left after so many seconds without a request. */
export function decayed(estimate: number, halfLifeSeconds: number, seconds: number): number {
  return estimate * 2 ** (-seconds / halfLifeSeconds);
}

/** "left" or "over", in whole requests. */
export function sayRoom(used: number, limit: number): string {
  const room = Math.floor(limit - used);
  if (room >= 1) return `under, ${room} left`;
  return used > limit ? `over by ${Math.ceil(used - limit)}` : "at the limit";
}
