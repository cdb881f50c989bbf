import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { heartbeatEveryMs, type LiveNode, listNodes } from "../stats/nodes.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

const oldestReplicaMs = 5_000;
/** A node that has just come tells how far it is with its second heartbeat. */
const patienceMs = 1.5 * heartbeatEveryMs;

export const nodes: Check = {
  name: "nodes",
  async look({ redis }) {
    const { found, newest } = await readWhenCurrent(redis);
    if (found.length === 0) {
      const cure = "Start an app that calls createGuard.";
      return [note("No node has reported, so nothing enforces the lists.", { cure })];
    }
    const details = found.map((node) => sayNode(node, newest));
    const late = found.filter((node) => !isCurrent(node, newest)).map(({ id }) => id);
    const blind = found.filter(({ unknownClients }) => unknownClients > 0);
    if (blind.length > 0) return [blindness(blind, details)];
    if (late.length > 0) {
      const cure = "See its log and its way to Redis; restarting it loads the lists anew.";
      return [problem(`Behind: ${late.join(", ")}.`, { cure, details })];
    }
    const uncounted = found.filter(({ counters = "ok" }) => counters !== "ok");
    if (uncounted.length > 0) return [missing(uncounted, details)];
    return [ok(`${counted(found.length, "node")}, all up to date.`, { details })];
  },
};

async function readWhenCurrent(redis: Connection): Promise<{ found: LiveNode[]; newest: number }> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [found, change] = await Promise.all([listNodes(redis), redis.get(keys.change())]);
    const newest = Number(change) || 0;
    if (performance.now() > deadline || found.every((node) => isCurrent(node, newest)))
      return { found, newest };
    await pause(100);
  }
}

/** Written so that a number that is none counts as late. */
function isCurrent({ change, replicaAgeMs }: LiveNode, newest: number): boolean {
  return change >= newest && replicaAgeMs <= oldestReplicaMs;
}

function blindness(nodes: readonly LiveNode[], details: readonly string[]) {
  const apps = [...new Set(nodes.map(({ app }) => app))].join(", ");
  const requests = nodes.reduce((sum, { unknownClients }) => sum + unknownClients, 0);
  const cure = 'In a Next app, instrumentation.ts must have: export { register } from "sluice/next"';
  const says = `App ${apps} did not say who was asking on ${counted(requests, "request")}, so nothing was enforced on them.`;
  return problem(says, { cure, details });
}

const troubles = {
  late: "an answer is overdue",
  away: "there is no connection",
  refused: "they refuse to count",
} as const;

/** Each rule says by its onStoreError what it does there meanwhile. */
function missing(nodes: readonly LiveNode[], details: readonly string[]) {
  const named = nodes.map(({ id, counters = "ok" }) =>
    counters === "ok" ? id : `${id} (${troubles[counters]})`,
  );
  const cure = "See their log and their way to the counters.";
  return problem(`Without counters: ${named.join(", ")}.`, { cure, details });
}

function sayNode(node: LiveNode, newest: number): string {
  const { id, app, version, change, replicaAgeMs, requestsPerSecond, deniedPerSecond = 0 } = node;
  const age = Number.isFinite(replicaAgeMs) ? `${(replicaAgeMs / 1_000).toFixed(1)} s` : "unknown";
  const pace =
    requestsPerSecond === undefined
      ? ""
      : `, ${requestsPerSecond} requests/s of which ${deniedPerSecond} denied`;
  return `${id}: app ${app}, version ${version}${pace}, change ${change} of ${newest}, copy confirmed ${age} before its report`;
}
