import type { LiveNode } from "../stats/nodes.ts";
import { type Finding, note } from "./finding.ts";

/** Maintained lines, as of Node's release schedule of 2026: even ones, and the newest until it becomes one. */
const oldestMaintained = 22;
const newest = 25;

/** One finding for all nodes whose line of Node gets no security fixes. Nodes that do not report a version are skipped. */
export function judgeNode(nodes: readonly LiveNode[]): Omit<Finding, "check">[] {
  const old = nodes.flatMap(({ app, node }) =>
    node !== undefined && isUnmaintained(node) ? [`${app} (${node})`] : [],
  );
  if (old.length === 0) return [];
  const apps = [...new Set(old)].toSorted().join(", ");
  const says = `These apps run a version of Node that gets no security fixes: ${apps}.`;
  return [note(says, { cure: "Run them on Node 24, or on another line that is maintained." })];
}

/** What cannot be read is not known to be maintained. */
function isUnmaintained(version: string): boolean {
  const major = Number(version.split(".")[0]);
  if (!(major >= oldestMaintained)) return true;
  return major % 2 === 1 && major < newest;
}
