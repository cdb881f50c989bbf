import type { Patient } from "../../../lib/doctor/finding.ts";
import { readState } from "../../../lib/edge/state.ts";
import { findSwitch } from "../../../lib/edge/switch.ts";
import { findModeSince } from "../../../lib/policy/mode-since.ts";
import type { StoredPolicy } from "../../../lib/policy/stored.ts";
import { type PolicyInForce, readPolicy } from "../../../lib/policy/versions.ts";
import { sayLevels } from "../../../lib/policy/words.ts";
import type { Status } from "../../../lib/queries/status.ts";
import type { Connection, CountersConnection } from "../../../lib/redis/connect.ts";
import { atHome } from "../../../lib/redis/home.ts";
import type { ListName } from "../../../lib/redis/keys.ts";
import { isInSync, type NewestChange, readNewestChange } from "../../../lib/stats/newest-change.ts";
import { type LiveNode, listNodes } from "../../../lib/stats/nodes.ts";
import type { SignedIn } from "../../_server/session.ts";
import { countersStatus, pingMs } from "./latency.ts";
import { readWarnings } from "./warnings.ts";

interface Asked {
  readonly patient: Patient;
  readonly counters: CountersConnection;
  readonly who: Pick<SignedIn, "email" | "role" | "address">;
  /** How much the console's own copy of the lists holds; nothing while it loads. */
  readonly held?: Readonly<Record<ListName, number>> | undefined;
  /** Whether the environment names an edge; of one that another console sweeps, Redis tells. */
  readonly hasEdge?: boolean | undefined;
}

/** How Sluice stands now, for whoever asks. It fails when Redis is away: then nothing of this is known. */
export async function readStatus({ patient, counters, who, held, hasEdge }: Asked): Promise<Status> {
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
  return {
    ...{ id, app, host, version },
    lastChange: Number.isFinite(change) ? change : 0,
    replicaAgeMs: Number.isFinite(replicaAgeMs) ? replicaAgeMs : null,
    isInSync: isInSync(node, newest),
    isStamped: unknownClients === 0,
    ...{ requestsPerSecond, deniedPerSecond, counters },
  };
}

/** Every node holds both lists, so whoever spoke last knows best. */
function countsOf(nodes: readonly LiveNode[]): Status["counts"] {
  const [latest] = nodes.toSorted((a, b) => b.seenAt - a.seenAt);
  return latest ? { safelist: latest.safelisted, blocklist: latest.blocklisted } : null;
}

async function policyStatus(redis: Connection) {
  const inForce = await readPolicy(redis);
  const { policy, version, problem } = inForce;
  return {
    mode: policy.mode,
    modeSince: policy.mode === "enforce" ? null : await modeSince(redis, inForce),
    policyVersion: version,
    policyProblem: problem ?? null,
    rules: policy.rules.map(({ name, mode, onStoreError, levels }) => ({
      ...{ name, mode, onStoreError },
      limits: sayLevels(levels),
    })),
  };
}

async function findEdgeOff(redis: Connection, hasEdge = false): Promise<Status["edgeOff"]> {
  const { isOn, at, by, reason } = await findSwitch(redis);
  if (isOn) return null;
  const isConnected = hasEdge || ((await readState(redis))?.dictionaries.length ?? 0) > 0;
  return isConnected ? { at: at ?? null, by: by ?? null, reason: reason ?? "" } : null;
}

/** Found once for each version, because every console asks every two seconds. */
async function modeSince(redis: Connection, inForce: PolicyInForce): Promise<Status["modeSince"]> {
  const held = atHome("mode since", (): { version?: string; found?: StoredPolicy } => ({}));
  const version = `${inForce.version} ${inForce.at}`;
  if (held.version !== version) {
    held.found = await findModeSince(redis, inForce);
    held.version = version;
  }
  const { at, by, reason } = held.found ?? inForce;
  return { at: at ?? null, by: by ?? null, reason };
}
