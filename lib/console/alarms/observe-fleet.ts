import { withLimits } from "../../enforce/policy/code-limits.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { environment } from "../../env.ts";
import { errorLine } from "../../errors.ts";
import type { Happening, Observation } from "../../manage/alarms/happening.ts";
import type { Observed } from "../../manage/alarms/keeper.ts";
import type { AlarmKind } from "../../manage/alarms/kinds.ts";
import type { StoredAlarms } from "../../manage/alarms/store.ts";
import { readFeeds } from "../../manage/feeds/definition.ts";
import { readStates } from "../../manage/feeds/feed-state.ts";
import { readRequests } from "../../manage/requests/user-request.ts";
import { findAttacks } from "../../observe/alarms/attacks.ts";
import { readAuditEvents } from "../../observe/alarms/audit-events.ts";
import { customerStates } from "../../observe/alarms/customer-states.ts";
import { expiringStates, longestNoticeMs } from "../../observe/alarms/expiring-entries.ts";
import { feedStates } from "../../observe/alarms/feed-states.ts";
import { fleetStates, readFleetMemory } from "../../observe/alarms/fleet-states.ts";
import { requestStates } from "../../observe/alarms/request-states.ts";
import { listNodes, readNewestChange } from "../../observe/stats/nodes.ts";
import { readClientReadings } from "../../observe/stats/offenders.ts";
import { listNames } from "../../redis/keys.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { theStatistics } from "../statistics.ts";
import { candidates } from "../stats/read-offenders.ts";
import { countersStatus } from "../status/latency.ts";
import { readAttackView } from "./read-attacks.ts";

/** What one observer finds. A kind that it does not read is unknown in this pass. */
interface ObserverReport {
  readonly states?: readonly Happening[];
  readonly readKinds?: readonly AlarmKind[];
  readonly ends?: ReadonlyMap<string, string>;
  readonly events?: readonly Happening[];
  readonly memory?: string;
}

interface Observer {
  readonly name: string;
  readonly everyMs: number;
  readonly find: (stored: StoredAlarms, memory: string | undefined) => Promise<ObserverReport>;
}

const mostExpiring = 1_000;

const observers: readonly Observer[] = [
  { name: "attacks", everyMs: 0, find: observeAttacks },
  { name: "audit", everyMs: 0, find: (_, memory) => readAuditEvents(theConsole().redis, memory) },
  { name: "requests", everyMs: 0, find: observeRequests },
  { name: "fleet", everyMs: 2_000, find: observeNodes },
  { name: "feeds", everyMs: 10_000, find: observeFeeds },
  { name: "customers", everyMs: 10_000, find: observeCustomers },
  { name: "expiry", everyMs: 60_000, find: observeExpiry },
];

/** Looks at everything that alarms are about, each part as often as it may change. */
export class FleetObserver {
  readonly #dueAt = new Map<string, number>();
  readonly #failed = new Set<string>();
  readonly #log: (line: string) => void;

  constructor(log: (line: string) => void = console.warn) {
    this.#log = log;
  }

  async observe(stored: StoredAlarms): Promise<Observed> {
    const due = observers.filter(({ name }) => (this.#dueAt.get(name) ?? 0) <= stored.now);
    const found = await Promise.all(due.map((one) => this.#ask(one, stored)));
    const observation: Observation = {
      states: found.flatMap(({ states = [] }) => states),
      readKinds: found.flatMap(({ readKinds = [] }) => readKinds),
      ends: new Map(found.flatMap(({ ends = [] }) => [...ends])),
      events: found.flatMap(({ events = [] }) => events),
    };
    const memory = due.flatMap(({ name }, i) => {
      const text = found[i]?.memory;
      return text === undefined || text === stored.memory.get(name) ? [] : [[name, text] as const];
    });
    return { ...observation, memory: new Map(memory) };
  }

  /** An observer that fails knows nothing in this pass. */
  async #ask({ name, everyMs, find }: Observer, stored: StoredAlarms): Promise<ObserverReport> {
    this.#dueAt.set(name, stored.now + everyMs);
    try {
      const found = await find(stored, stored.memory.get(name));
      this.#failed.delete(name);
      return found;
    } catch (error) {
      if (!this.#failed.has(name))
        this.#log(`sluice: alarms about ${name} are not known. Retrying. ${errorLine(error)}`);
      this.#failed.add(name);
      return {};
    }
  }
}

async function observeAttacks({ now }: StoredAlarms, memory: string | undefined): Promise<ObserverReport> {
  return { ...(await findAttacks(memory, await readAttackView(now))), readKinds: ["attack"] };
}

async function observeRequests(): Promise<ObserverReport> {
  return { ...requestStates(await readRequests(theConsole().redis)), readKinds: ["request"] };
}

async function observeNodes(_: StoredAlarms, memory: string | undefined): Promise<ObserverReport> {
  const { redis, redisUrl: url, counters } = theConsole();
  const { countersRedisUrl: countersUrl = url } = environment();
  const [nodes, newest, status] = await Promise.all([
    listNodes(redis),
    readNewestChange(redis),
    countersStatus(counters, { url, countersUrl }, 0),
  ]);
  const ofApps = nodes.filter(({ app }) => app !== consoleApp);
  const found = fleetStates({
    nodes: ofApps,
    newest,
    areCountersUp: status.isUp,
    memory: readFleetMemory(memory),
  });
  return { states: found.states, readKinds: ["node", "redis"], memory: JSON.stringify(found.memory) };
}

async function observeFeeds({ now }: StoredAlarms): Promise<ObserverReport> {
  const { redis } = theConsole();
  const [feeds, states] = await Promise.all([readFeeds(redis), readStates(redis)]);
  return { states: feedStates(feeds, states, now), readKinds: ["feed"] };
}

/** The customers among the busiest clients of two minutes. Without an answer of the counters, nothing is known. */
async function observeCustomers({ now }: StoredAlarms): Promise<ObserverReport> {
  const { redis } = theConsole();
  const policy = await withLimits(redis, (await readPolicy(redis)).policy, now);
  const busiest = await candidates(undefined, policy, now);
  const customers = busiest.filter(({ name }) => name.kind === "customer");
  const { readings, isComplete } = await readClientReadings(redis, theStatistics().scales, policy, customers);
  return isComplete ? { states: customerStates(readings, now), readKinds: ["customer"] } : {};
}

async function observeExpiry({ now }: StoredAlarms): Promise<ObserverReport> {
  const catalogue = theCatalogue();
  if (!catalogue.isComplete) return {};
  const pages = await Promise.all(
    listNames.map((list) =>
      catalogue.page(list, {
        ...{ facet: "expiring", withinMs: longestNoticeMs, sort: "expires", dir: "asc", limit: mostExpiring },
      }),
    ),
  );
  const states = listNames.flatMap((list, i) => expiringStates(list, pages[i]?.entries ?? [], now));
  return { states, readKinds: ["expiry"] };
}
