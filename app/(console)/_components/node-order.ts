import type { NodeStatus } from "../../../lib/queries/status.ts";

/** Whoever is not as it should be comes first, then by app and name. */
export function inOrder(nodes: readonly NodeStatus[]): NodeStatus[] {
  const rank = (node: NodeStatus) => (node.isInSync && node.isStamped && isCounting(node) ? 1 : 0);
  return nodes.toSorted(
    (a, b) => rank(a) - rank(b) || a.app.localeCompare(b.app) || a.id.localeCompare(b.id),
  );
}

/** Of a node whose version does not tell, nothing bad is known. */
export function isCounting({ counters }: NodeStatus): boolean {
  return counters === null || counters === "ok";
}

/** Without the app, which stands beside it. */
export function nameOf({ id, app }: Pick<NodeStatus, "id" | "app">): string {
  return id.startsWith(`${app}@`) ? id.slice(app.length + 1) : id;
}
