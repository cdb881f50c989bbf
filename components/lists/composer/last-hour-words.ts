import { counted, countText } from "@/components/ui/value-text.ts";
import type { Reach } from "@/lib/queries/client.ts";

/** Requests of the last hour. Undefined if they are not known. */
export function lastHourWords(reach: Reach | undefined): string {
  if (!reach) return "Requests of the last hour: unknown.";
  const { requests, denied, clients, countedWith } = reach;
  // Reports name the busiest clients only.
  if (requests === 0) return "Not among the busiest clients of the last hour.";
  const of = clients > 1 ? ` of ${counted(clients, "client")}` : "";
  const network = countedWith === null ? "" : ` (all of ${countedWith})`;
  return `${counted(requests, "request")}${of}, ${countText(denied)} denied in the last hour${network}.`;
}
