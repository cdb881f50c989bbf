import { counted } from "../ui/count-text.ts";
import type { Standing } from "./standing.ts";

export interface Health {
  /** down: something is away. limping: all answers, but not all is well. */
  readonly state: "well" | "limping" | "down";
  readonly title: string;
  readonly detail: string;
}

/** What the pill says: whether Redis answers, how fast, and how many nodes follow. */
export function healthOf({ known, trouble }: Standing): Health {
  if (trouble?.kind === "redis") return { state: "down", title: "Redis unreachable", detail: "" };
  if (trouble?.kind === "console") return { state: "down", title: "Console unreachable", detail: "" };
  if (trouble?.kind === "failed") return { state: "down", title: "Console failing", detail: "" };
  if (trouble || !known) return { state: "limping", title: "Not known now", detail: "" };
  const { redis, counters, nodes, warnings } = known;
  const synced = nodes.filter(({ isInSync }) => isInSync).length;
  const isWhole = synced === nodes.length && nodes.every(({ isStamped }) => isStamped);
  const sync =
    nodes.length === 0
      ? "no node"
      : synced === nodes.length
        ? `${counted(synced, "node")} in sync`
        : `${synced} of ${counted(nodes.length, "node")} in sync`;
  return {
    state: counters.isUp && isWhole && warnings.length === 0 && nodes.length > 0 ? "well" : "limping",
    title: counters.isUp ? "Redis OK" : "Counters unreachable",
    detail: `${redis.latencyMs} ms · ${sync}`,
  };
}
