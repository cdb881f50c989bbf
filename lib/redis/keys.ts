import type { Cidr, Ip } from "../ip/parse.ts";

export type ListName = "safelist" | "blocklist";
export const listNames: readonly ListName[] = ["safelist", "blocklist"];

/**
 * The only place that spells a key. Prefixes under `tracked` are followed by every node through client
 * tracking, so what is written often must stay outside of them.
 */
export const keys = {
  entry: (list: ListName, address: Ip | Cidr) => `${list}:${address}`,
  /** Any address text, also one that a foreign writer spelled wrong. */
  entryPrefix: (list: ListName) => `${list}:`,

  /** Number of the last change; nodes acknowledge it. */
  change: () => "sluice:live:change",
  /** Hash: when a change was made (`at`) and when each node had applied it. */
  changeProgress: (change: number) => `sluice:change:${change}`,
  /** Hash of range → who protected it, when and why. */
  neverBlock: () => "sluice:live:never-block",

  /** Stream of sealed records, ids `<n>-0`. */
  audit: () => "sluice:audit",
  /** Hash {n, mac, proof} of the newest record. */
  auditHead: () => "sluice:audit:head",

  /** Sorted set of node ids by the Redis time of their last heartbeat. */
  nodes: () => "sluice:nodes",
  node: (id: string) => `sluice:node:${id}`,

  /** Written and read by `doctor` alone, to see that tracking reaches it. */
  probe: () => "sluice:live:probe",
} as const;

export const tracked = ["safelist:", "blocklist:", "sluice:live:"] as const;
