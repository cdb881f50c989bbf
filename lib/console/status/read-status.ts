import { z } from "zod";
import type { StoredPolicy } from "../../enforce/policy/stored.ts";
import { type PolicyInForce, readPolicy } from "../../enforce/policy/versions.ts";
import { sayLimits } from "../../enforce/policy/words.ts";
import { environment } from "../../env.ts";
import { readState } from "../../manage/edge/state.ts";
import { findSwitch } from "../../manage/edge/switch.ts";
import { eviction } from "../../observe/doctor/check-eviction.ts";
import { persistence } from "../../observe/doctor/check-persistence.ts";
import type { Patient } from "../../observe/doctor/finding.ts";
import { findModeSince } from "../../observe/policy/mode.ts";
import {
  isInSync,
  type LiveNode,
  listNodes,
  type NewestChange,
  readNewestChange,
} from "../../observe/stats/nodes.ts";
import type { Status } from "../../queries/status.ts";
import type { Connection, CountersConnection } from "../../redis/connect.ts";
import type { ListName } from "../../redis/keys.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { countWaiting } from "../alarms/alarm-reads.ts";
import { theCatalogue } from "../catalogue.ts";
import type { Console } from "../console.ts";
import { inTime } from "../in-time.ts";
import { read } from "../read.ts";
import type { SignedIn } from "../session/session.ts";
import { countersStatus, pingMs } from "./latency.ts";
import { noteAnswer, noteSilence } from "./redis-away.ts";

interface StatusInput {
  readonly patient: Patient;
  readonly counters: CountersConnection;
  readonly who: Pick<SignedIn, "email" | "role" | "address">;
  /** How much the console's own copy of the lists holds; nothing while it loads. */
  readonly held?: Readonly<Record<ListName, number>> | undefined;
  /** Whether the environment names an edge; of one that another console sweeps, Redis tells. */
  readonly hasEdge?: boolean | undefined;
}

/** Status of Sluice now, for this user. It fails when Redis is away: then nothing of this is known. */
export async function readStatus({ patient, counters, who, held, hasEdge }: StatusInput): Promise<Status> {
  const { redis } = patient;
  // Alone and first, so that nothing else on the connection is measured with it.
  const latencyMs = await pingMs(redis);
  const [ofCounters, nodes, newest, policy, edgeOff, warnings] = await Promise.all([
    countersStatus(counters, patient, latencyMs),
    listNodes(redis),
    readNewestChange(redis),
    policyStatus(redis),
    findEdgeOff(redis, hasEdge),
    readWarnings(patient),
  ]);
  return {
    at: Date.now(),
    you: { email: who.email, role: who.role, address: who.address ?? null },
    redis: { isUp: true, latencyMs },
    counters: ofCounters,
    nodes: nodes.map((node) => nodeStatus(node, newest)),
    ...policy,
    edgeOff,
    counts: held ?? countsOf(nodes),
    newestChange: { number: newest.number, at: newest.at ?? null },
    warnings: [...warnings],
  };
}

function nodeStatus(node: LiveNode, newest: NewestChange): Status["nodes"][number] {
  const { id, app, host, version, change, replicaAgeMs, unknownClients } = node;
  const { requestsPerSecond = null, deniedPerSecond = null, counters = null } = node;
  const { following = null, othersWithinMs = null } = node;
  return {
    ...{ id, app, host, version },
    lastChange: Number.isFinite(change) ? change : 0,
    replicaAgeMs: Number.isFinite(replicaAgeMs) ? replicaAgeMs : null,
    isInSync: isInSync(node, newest),
    isStamped: unknownClients === 0,
    ...{ requestsPerSecond, deniedPerSecond, counters, following, othersWithinMs },
  };
}

/** Every node holds both lists, so the last report is the best one. */
function countsOf(nodes: readonly LiveNode[]): Status["counts"] {
  const [latest] = nodes.toSorted((a, b) => b.seenAt - a.seenAt);
  return latest ? { safelist: latest.safelisted, blocklist: latest.blocklisted } : null;
}

async function policyStatus(redis: Connection) {
  const inForce = await readPolicy(redis);
  const { policy, version, problem, timed } = inForce;
  const { attack } = timed ?? {};
  return {
    mode: policy.mode,
    modeSince: policy.mode === "enforce" ? null : await modeSince(redis, inForce),
    modeUntilMs: timed?.ends.find(({ part }) => part === "mode")?.atMs ?? null,
    attack: attack ? { ...attack, apps: attack.apps ? [...attack.apps] : null } : null,
    policyVersion: version,
    policyProblem: problem ?? null,
    rules: policy.rules.map((rule) => {
      const { name, mode, onStoreError } = rule;
      return { name, mode, onStoreError, limits: sayLimits(rule) };
    }),
  };
}

async function findEdgeOff(redis: Connection, hasEdge = false): Promise<Status["edgeOff"]> {
  const { isOn, at, by, reason } = await findSwitch(redis);
  if (isOn) return null;
  const isConnected = hasEdge || ((await readState(redis))?.dictionaries.length ?? 0) > 0;
  return isConnected ? { at: at ?? null, by: by ?? null, reason: reason ?? "" } : null;
}

/** Found once for each version, because every console asks every two seconds. */
export async function modeSince(redis: Connection, inForce: PolicyInForce): Promise<Status["modeSince"]> {
  const held = oncePerProcess("mode since", (): { version?: string; found?: StoredPolicy } => ({}));
  const version = `${inForce.version} ${inForce.at}`;
  if (held.version !== version) {
    held.found = await findModeSince(redis, inForce);
    held.version = version;
  }
  const { at, by, reason } = held.found ?? inForce;
  return { at: at ?? null, by: by ?? null, reason };
}

/** What could lose a list. */
const checks = [eviction, persistence];
const lookEveryMs = 60_000;

/** What about this Redis puts the lists at risk. Looked at once a minute, however many consoles ask. */
async function readWarnings(patient: Patient, now = performance.now()): Promise<readonly string[]> {
  const held = oncePerProcess(`warnings ${patient.url}`, (): { at: number; found: readonly string[] } => ({
    at: Number.NEGATIVE_INFINITY,
    found: [],
  }));
  if (now - held.at >= lookEveryMs) {
    held.at = now;
    held.found = await look(patient).catch(() => held.found);
  }
  return held.found;
}

async function look(patient: Patient): Promise<string[]> {
  const findings = await Promise.all(checks.map((check) => check.run(patient)));
  return findings
    .flat()
    .filter(({ status }) => status === "problem")
    .map(({ says, cure }) => (cure === undefined ? says : `${says} ${cure}`));
}

/** The status of this console's Sluice, as the page's first sight and the polls after it show it. */
export async function statusOf(opened: Console, who: SignedIn): Promise<Status> {
  const { redis, redisUrl: url, counters, protectedRanges, seal } = opened;
  const { countersRedisUrl: countersUrl = url, edge, isDemo } = environment();
  const catalogue = theCatalogue();
  const [status, waiting] = await Promise.all([
    readStatus({
      patient: { redis, url, countersUrl, protectedRanges, seal },
      counters,
      who,
      held: catalogue.isComplete ? catalogue.sizes : undefined,
      hasEdge: edge !== undefined,
    }),
    countWaiting().catch(() => null),
  ]);
  noteAnswer(Date.now());
  return { ...status, waiting, isDemo };
}

/** A Redis that hangs keeps commands waiting for longer than the people who want to know that it does. */
const patienceMs = 1_500;
const late = { error: { code: "redis-unavailable", message: "Redis does not answer.", fields: {} } };

const answer = read("read", z.object({}), ({ console, who }) => statusOf(console, who), { isUrgent: true });

export async function getStatus(...asked: Parameters<typeof answer>): Promise<Response> {
  const answered = await inTime(answer(...asked), patienceMs);
  if (answered === undefined || answered.status === 503) noteSilence(Date.now());
  return answered ?? Response.json(late, { status: 503, headers: { "cache-control": "no-store" } });
}
