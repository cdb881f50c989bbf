import { counted, countText } from "@/components/ui/value-text.ts";
import type { LastHour } from "./use-last-hours.ts";

/** "4,120 requests", and below it whose. */
export function sayHour(hour: LastHour): { readonly says: string; readonly more?: string } {
  if (hour.is === "loading") return { says: "…" };
  if (hour.is === "failed") return { says: "unknown", more: "the last hour failed to load" };
  if (hour.is === "not counted") return { says: "unknown", more: "no node counted these requests" };
  if (hour.is === "not asked") return { says: "–" };
  const { requests, clients, customers } = hour;
  if (requests === 0) return { says: "0 requests" };
  const whose = customers > 0 ? `, ${counted(customers, "customer")}` : "";
  return { says: counted(requests, "request"), more: `${counted(clients, "client")}${whose}` };
}

/**
 * What all of them would have denied. A request counts for each rule that is for it, so the sum is not known: at least as many as the
 * rule that would have denied most.
 */
export function saySum(hours: readonly LastHour[]): string {
  const known = hours.filter((hour) => hour.is === "known");
  const [first, ...others] = known.toSorted((one, other) => other.requests - one.requests);
  const unknown = hours.filter(({ is }) => is !== "known" && is !== "not asked");
  if (hours.length === 0) return "Attack mode adds nothing: no rule is prepared.";
  if (!first || first.requests === 0) {
    if (unknown.some(({ is }) => is === "loading")) return "Reading the last hour …";
    if (unknown.some(({ is }) => is === "failed"))
      return "What attack mode would have denied in the last hour is unknown: it failed to load.";
    return first && unknown.length === 0
      ? "Attack mode would have denied no request of the last hour."
      : "What attack mode would have denied in the last hour is unknown: no node has counted it.";
  }
  const { requests, clients, customers } = first;
  const isLeast = unknown.length > 0 || others.some((other) => other.requests > 0);
  const whose = customers > 0 ? `, ${counted(customers, "customer")} among them` : "";
  return `Attack mode would have denied ${isLeast ? "at least " : ""}${countText(requests)} of the last hour's requests, of ${counted(clients, "client")}${whose}.`;
}
