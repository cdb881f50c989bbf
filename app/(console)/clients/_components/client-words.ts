import { counted } from "../../../../components/ui/count-text.ts";
import type { ClientReply } from "../../../../lib/queries/client.ts";

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
