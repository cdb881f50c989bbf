import type { Standing } from "@/components/console/standing.ts";
import { counted } from "@/components/ui/value-text.ts";
import type { NodeStatus } from "@/lib/queries/status.ts";

export interface Health {
  /** down: Redis or the console does not answer. limping: both answer, but not all is well. */
  readonly state: "well" | "limping" | "down";
  readonly title: string;
  readonly detail: string;
}

/** Text of the pill: whether Redis answers, its latency, and the number of nodes in sync. */
export function healthOf({ known, trouble }: Standing): Health {
  if (trouble?.kind === "redis") return { state: "down", title: "Redis unreachable", detail: "" };
  if (trouble?.kind === "console") return { state: "down", title: "Console unreachable", detail: "" };
  if (trouble?.kind === "failed") return { state: "down", title: "Console failing", detail: "" };
  if (trouble || !known) return { state: "limping", title: "Status unknown", detail: "" };
  const { redis, counters, nodes, warnings } = known;
  const synced = nodes.filter(({ isInSync }) => isInSync).length;
  const isWhole = synced === nodes.length && nodes.every(({ isStamped }) => isStamped);
  const way = sayWay(nodes);
  const sync =
    nodes.length === 0
      ? "no node"
      : synced === nodes.length
        ? `${counted(synced, "node")} in sync`
        : `${synced} of ${counted(nodes.length, "node")} in sync`;
  return {
    state: counters.isUp && isWhole && warnings.length === 0 && nodes.length > 0 ? "well" : "limping",
    title: counters.isUp ? "Redis OK" : "Counters unavailable",
    detail: [`${redis.latencyMs} ms`, sync, ...(way ? [way] : [])].join(" · "),
  };
}

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
