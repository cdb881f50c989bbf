import type { NodeStatus } from "@/lib/queries/status.ts";

/** Nodes with a problem first, then by app and name. */
export function inOrder(nodes: readonly NodeStatus[]): NodeStatus[] {
  const rank = (node: NodeStatus) => (node.isInSync && node.isStamped && isCounting(node) ? 1 : 0);
  return nodes.toSorted(
    (a, b) => rank(a) - rank(b) || a.app.localeCompare(b.app) || a.id.localeCompare(b.id),
  );
}

/** A node whose version does not report its counters has no known problem. */
export function isCounting({ counters }: NodeStatus): boolean {
  return counters === null || counters === "ok";
}

/** Name without the app, which has its own column. */
export function nameOf({ id, app }: Pick<NodeStatus, "id" | "app">): string {
  return id.startsWith(`${app}@`) ? id.slice(app.length + 1) : id;
}
