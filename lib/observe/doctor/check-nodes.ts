import { setTimeout as pause } from "node:timers/promises";
import { heartbeatEveryMs } from "../../enforce/stats/membership.ts";
import type { Connection } from "../../redis/connect.ts";
import { bare } from "../../redis/error-kinds.ts";
import { notificationsAdvice, sayWithin } from "../../redis/following.ts";
import { keys } from "../../redis/keys.ts";
import { type LiveNode, listNodes } from "../stats/nodes.ts";
import { judgeNext } from "./check-next-version.ts";
import { judgeVersion } from "./check-version.ts";
import { type Check, type Finding, note, ok, plural, problem } from "./finding.ts";
import { judgeNode } from "./node-version.ts";

const oldestReplicaMs = 5_000;
/** Waiting time in ms. A new node reports its last change with its second heartbeat. */
const longestWaitMs = 1.5 * heartbeatEveryMs;

export const nodes: Check = {
  name: "nodes",
  async run({ redis }) {
    const { found, newest } = await readWhenCurrent(redis);
    const others = [judgeVersion, judgeFollowing, judgeOwners, judgeIgnoredLimits, judgeNext, judgeNode];
    const feeds = await redis.hlen(keys.feeds()).catch(() => 0);
    return [
      ...judge(found, newest),
      ...others.flatMap((one) => one(found)),
      ...(feeds > 0 ? judgeFeeds(found) : []),
    ];
  },
};

function judge(found: readonly LiveNode[], newest: number): Omit<Finding, "check">[] {
  if (found.length === 0) {
    const cure = "Start an app that calls createGuard.";
    return [note("No node has reported. The lists are not enforced.", { cure })];
  }
  const details = found.map((node) => sayNode(node, newest));
  const late = found.filter((node) => !isCurrent(node, newest)).map(({ id }) => id);
  const blind = found.filter(({ unknownClients }) => unknownClients > 0);
  if (blind.length > 0) return [unidentified(blind, details)];
  if (late.length > 0) {
    const cure = "Check its log and its connection to Redis. A restart loads the lists again.";
    return [problem(`Behind: ${late.join(", ")}.`, { cure, details })];
  }
  const uncounted = found.filter(({ counters = "ok" }) => counters !== "ok");
  if (uncounted.length > 0) return [withoutCounters(uncounted, details)];
  return [ok(`${plural(found.length, "node")}, all up to date.`, { details })];
}

async function readWhenCurrent(redis: Connection): Promise<{ found: LiveNode[]; newest: number }> {
  const deadline = performance.now() + longestWaitMs;
  for (;;) {
    const [found, change] = await Promise.all([listNodes(redis), redis.get(keys.change())]);
    const newest = Number(change) || 0;
    if (performance.now() > deadline || found.every((node) => isCurrent(node, newest)))
      return { found, newest };
    await pause(100);
  }
}

/** Whether a node has the newest change. False for a value that is not a number. */
function isCurrent({ change, replicaAgeMs }: LiveNode, newest: number): boolean {
  return change >= newest && replicaAgeMs <= oldestReplicaMs;
}

function unidentified(nodes: readonly LiveNode[], details: readonly string[]) {
  const apps = [...new Set(nodes.map(({ app }) => app))].join(", ");
  const requests = nodes.reduce((sum, { unknownClients }) => sum + unknownClients, 0);
  const cure = 'In a Next app, add to instrumentation.ts: export { register } from "sluice/next"';
  const says = `App ${apps} did not identify the client of ${plural(requests, "request")}. Nothing was enforced on them.`;
  return problem(says, { cure, details });
}

const troubles = {
  late: "an answer is overdue",
  away: "there is no connection",
  refused: "they reject writes",
} as const;

/** Problem of nodes without counters, where each rule follows its onStoreError. */
function withoutCounters(nodes: readonly LiveNode[], details: readonly string[]) {
  const named = nodes.map(({ id, counters = "ok" }) =>
    counters === "ok" ? id : `${id} (${troubles[counters]})`,
  );
  const cure = "Check their logs and their connection to the counters.";
  return problem(`Without counters: ${named.join(", ")}.`, { cure, details });
}

/** Note on nodes that poll. They apply changes by Sluice at once, and find writes of other programs by scanning. */
function judgeFollowing(found: readonly LiveNode[]): Omit<Finding, "check">[] {
  const nodes = found.filter(({ following }) => following === "polling");
  if (nodes.length === 0) return [];
  const within = Math.max(...nodes.map(({ othersWithinMs = 0 }) => othersWithinMs));
  const because = [...new Set(nodes.flatMap(({ notTracking }) => notTracking ?? []))].join("; ");
  const says =
    `${plural(nodes.length, "node")} without client tracking (${bare(because)}): writes by redis-cli and other programs ` +
    `take effect there within ${sayWithin(within)}.`;
  return [note(says, { cure: notificationsAdvice, details: nodes.map(({ id }) => id) })];
}

/** A node reports customers of addresses in the second after its start. */
const startsWithinMs = 10_000;

/** Note on nodes whose reports of customers are refused: whether an address is a customer's is unknown then. */
function judgeOwners(found: readonly LiveNode[]): Omit<Finding, "check">[] {
  const nodes = found.filter(
    ({ ownersFormat, seenAt, startedAt }) => ownersFormat === 0 && seenAt - startedAt > startsWithinMs,
  );
  if (nodes.length === 0) return [];
  const says = `${plural(nodes.length, "node")} cannot report customers of addresses: such customers are unknown.`;
  const cure = "Give the account of the nodes the rights to sluice:owners:* of deploy/users.acl.";
  return [note(says, { cure, details: nodes.map(({ id }) => id) })];
}

/** Problem of nodes that enforce no feed. */
function judgeFeeds(found: readonly LiveNode[]): Omit<Finding, "check">[] {
  const old = found.filter(({ feedsFormat }) => feedsFormat === undefined);
  const refused = found.filter(({ feedsFormat }) => feedsFormat === 0);
  const says = (nodes: readonly LiveNode[]) =>
    `${plural(nodes.length, "node")} without feeds: they enforce no feed, and write none of its hits.`;
  const details = (nodes: readonly LiveNode[]) => nodes.map(({ id, version }) => `${id}: version ${version}`);
  return [
    ...(old.length > 0
      ? [problem(says(old), { cure: "Update their apps to this version of sluice.", details: details(old) })]
      : []),
    ...(refused.length > 0
      ? [
          problem(says(refused), {
            cure: "Give the account of the nodes the right to sluice:feed:contents:* of deploy/users.acl.",
            details: details(refused),
          }),
        ]
      : []),
  ];
}

/** Note on apps whose session gives customers a tier or limits that nodes ignore. */
function judgeIgnoredLimits(found: readonly LiveNode[]): Omit<Finding, "check">[] {
  const nodes = found.filter(({ ignoredLimits }) => ignoredLimits !== undefined);
  if (nodes.length === 0) return [];
  const apps = [...new Set(nodes.map(({ app }) => app))].join(", ");
  const says = `App ${apps} gives customers a tier or limits that are ignored: the customers have those of Redis, or of the default tier.`;
  const cure = "Correct what identify returns, or add the tier to the policy.";
  return [note(says, { cure, details: nodes.map(({ id, ignoredLimits }) => `${id}: ${ignoredLimits}`) })];
}

function sayNode(node: LiveNode, newest: number): string {
  const { id, app, version, next, change, replicaAgeMs, requestsPerSecond, deniedPerSecond = 0 } = node;
  const age = Number.isFinite(replicaAgeMs) ? `${(replicaAgeMs / 1_000).toFixed(1)} s` : "unknown";
  const pace =
    requestsPerSecond === undefined
      ? ""
      : `, ${requestsPerSecond} requests/s of which ${deniedPerSecond} denied`;
  const way = node.following === undefined ? "" : `, follows by ${node.following}`;
  const nextVersion = next === undefined ? "" : `, Next ${next}`;
  return `${id}: app ${app}, version ${version}${nextVersion}${pace}${way}, change ${change} of ${newest}, copy confirmed ${age} before its report`;
}
