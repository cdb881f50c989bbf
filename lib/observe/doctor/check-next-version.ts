import { at } from "../../at.ts";
import type { LiveNode } from "../stats/nodes.ts";
import { type Finding, problem } from "./finding.ts";

/** First versions without a known way to reach a page past `proxy.ts` (CVE-2026-44574, -44575, -45109 and others). */
const floors: Readonly<Record<number, string>> = { 15: "15.5.21", 16: "16.2.11" };
const newestFloor = 16;

/** One finding for all nodes whose Next is too old. Nodes that do not report a version are skipped. */
export function judgeNext(nodes: readonly LiveNode[]): Omit<Finding, "check">[] {
  const old = nodes.flatMap(({ app, next }) =>
    next !== undefined && isOld(next) ? [`${app} (${next})`] : [],
  );
  if (old.length === 0) return [];
  const apps = [...new Set(old)].toSorted().join(", ");
  const says = `These apps run a version of Next in which a request can reach a page past proxy.ts, and so past Sluice: ${apps}.`;
  return [problem(says, { cure: `Update next to ${Object.values(floors).join(", ")} or later.` })];
}

function isOld(version: string): boolean {
  const major = at(numbersOf(version), 0);
  if (major > newestFloor) return false;
  const floor = floors[major];
  return floor === undefined || isBelow(numbersOf(version), numbersOf(floor));
}

/** Numbers of a version. A preview, such as 16.2.11-canary.4, counts as its version. */
const numbersOf = (version: string): number[] => at(version.split("-"), 0).split(".").map(Number);

/** Whether a version is below the floor. True for one that cannot be read. */
function isBelow(parts: readonly number[], floor: readonly number[]): boolean {
  const differing = floor.findIndex((part, i) => parts[i] !== part);
  return differing >= 0 && !((parts[differing] ?? 0) > at(floor, differing));
}
