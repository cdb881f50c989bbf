import { endInWords } from "@/components/console/time-words.ts";
import { counted, countText, durationText, momentText } from "@/components/ui/value-text.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { CustomerDay } from "@/lib/queries/customer-day.ts";
import type { CustomerAddresses } from "@/lib/queries/owners.ts";

const hourMinutes = 60;

/** What a suspension would have changed: "412 requests in the last hour, 3 of them denied. Suspended, all would have got 403." */
export function sayLastHour(day: Pick<CustomerDay, "requests" | "denied" | "unknown"> | undefined): string {
  if (!day) return "Requests of the last hour: unknown.";
  const first = Math.max(0, day.requests.length - hourMinutes);
  const sum = (counts: readonly number[]) => counts.slice(first).reduce((all, count) => all + count, 0);
  const [requests, denied] = [sum(day.requests), sum(day.denied)];
  const unknown = unknownSince(first, day);
  const missing = unknown > 0 ? ` ${durationText(unknown * 60_000)} of it are unknown.` : "";
  if (requests === 0) return `No request is known of the last hour.${missing}`;
  const said = `${counted(requests, "request")} in the last hour, ${countText(denied)} of them denied.`;
  return `${said}${missing} Suspended, all would have got 403.`;
}

/** Minutes without a report. The running one and the one before may not have been reported yet. */
function unknownSince(
  first: number,
  { requests, unknown }: Pick<CustomerDay, "requests" | "unknown">,
): number {
  const last = requests.length - 2;
  return unknown.reduce(
    (sum, [from, count]) => sum + Math.max(0, Math.min(from + count, last) - Math.max(from, first)),
    0,
  );
}

/** Safelisted addresses of the customer. Undefined where none of those that are known is. */
export function saySafelisted(read: CustomerAddresses | undefined): string | undefined {
  const passing = read?.addresses.filter(({ outcome }) => outcome === "safelisted") ?? [];
  if (passing.length === 0) return undefined;
  const names = passing.map(({ address }) => address).join(", ");
  return `The safelist has precedence: requests from ${names} still pass.`;
}

/** "Nodes shop@web-1:7-a1b2c3 run an earlier version and do not enforce it." Undefined where all nodes do. */
export function sayOlderNodes({
  nodesWithoutSuspensions: nodes,
}: Pick<CustomerNow, "nodesWithoutSuspensions">): string | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  return nodes.length === 1
    ? `Node ${first} runs an earlier version and does not enforce suspensions.`
    : `${counted(nodes.length, "node")} run an earlier version and do not enforce suspensions: ${nodes.slice(0, 3).join(", ")}${nodes.length > 3 ? ", …" : ""}.`;
}

/** The state in one sentence. */
export function saySuspended({ mode }: Pick<CustomerNow, "mode">): string {
  if (mode === "enforce") return "This customer is suspended. Its requests get 403";
  return `This customer is suspended, but the mode is ${mode}: its requests ${mode === "off" ? "pass" : "are only counted"}`;
}

/** "by ada@example.org, since 28 Mar, 14:34 UTC. Ends 29 Mar, 14:34 UTC." */
export function sayTerms({ expiresAt, note }: NonNullable<CustomerNow["suspension"]>, now: number): string {
  const by = note.by === undefined ? "By another program" : `By ${note.by}`;
  const moment = note.at === undefined ? Number.NaN : Date.parse(note.at);
  const since = Number.isNaN(moment) ? "" : `, since ${momentText(moment, now)} UTC`;
  const end = expiresAt === null ? "It never expires." : `Ends ${endInWords(expiresAt, now)}.`;
  return `${by}${since}. ${end}`;
}
