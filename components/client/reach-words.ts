import { counted, countText } from "@/components/ui/value-text.ts";
import type { Reach } from "@/lib/queries/client.ts";
import type { ListName } from "@/lib/redis/keys.ts";

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

export function sayWhose({ customers, requests }: Reach): string {
  if (requests === 0 && customers.length === 0) return "No customer was seen there";
  return customers.length === 0
    ? "No customer was seen among them"
    : `${counted(customers.length, "customer")} among them`;
}
