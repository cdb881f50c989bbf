import type { Standing } from "@/components/console/standing.ts";
import { counted } from "@/components/ui/value-text.ts";
import { sayWay } from "./following-words.ts";

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
