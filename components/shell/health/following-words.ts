import { counted } from "@/components/ui/value-text.ts";
import type { NodeStatus } from "@/lib/queries/status.ts";

type Following = Pick<NodeStatus, "following" | "othersWithinMs">;

const ways = {
  tracking: "client tracking",
  notifications: "polling with notifications",
  polling: "polling",
} as const;

/** How a node learns of changes. */
export function sayFollowing({ following, othersWithinMs }: Following): string {
  if (following === null) return "unknown";
  return following === "polling" && othersWithinMs !== null
    ? `polling, others ${sayWithin(othersWithinMs)}`
    : ways[following];
}

/** Effect of polling on all nodes that poll, by the slowest of them. Undefined if none polls. */
export function sayPolling(nodes: readonly Following[]): string | undefined {
  const polling = nodes.filter(({ following }) => following === "polling" || following === "notifications");
  if (polling.length === 0) return undefined;
  const within = Math.max(...polling.map(({ othersWithinMs }) => othersWithinMs ?? 0));
  const isNotified = polling.every(({ following }) => following === "notifications");
  const subject = counted(polling.length, "node");
  return (
    `Client tracking is not available. ${subject} ${polling.length === 1 ? "polls" : "poll"} for changes` +
    `${isNotified ? ", with notifications" : ""}. ` +
    `Changes by Sluice take effect within 0.5 s, writes by redis-cli and other programs within ${sayWithin(within)}.`
  );
}

/** Slowest way in use, in short. Undefined if all nodes use client tracking. */
export function sayWay(nodes: readonly Following[]): string | undefined {
  if (nodes.some(({ following }) => following === "polling")) return "polling";
  return nodes.some(({ following }) => following === "notifications") ? ways.notifications : undefined;
}

function sayWithin(ms: number): string {
  const seconds = ms / 1_000;
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
