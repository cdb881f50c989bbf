import { randomBytes } from "node:crypto";
import { isDevelopment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import type { Block } from "../../ip/block.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { type CustomerId, keys, type ListName } from "../../redis/keys.ts";
import { forgetOnce, oncePerProcess } from "../../redis/once-per-process.ts";
import { Schedule } from "../../redis/schedule.ts";
import { type BanList, type Bans, createBans, createMemoryBans } from "../bans/bans.ts";
import { createMemoryScales } from "../limits/memory.ts";
import { type CoveringEntry, coveringIn, type EntryHolding } from "../lists/lookup.ts";
import type { Lists } from "../lists/replica.ts";
import type { StoredLimits } from "../policy/client.ts";
import { type Digest, digestBy } from "../policy/identify.ts";
import type { Policy } from "../policy/schema.ts";
import { freshInstall, type StoredPolicy } from "../policy/stored.ts";
import type { Reporter } from "../stats/reporter.ts";
import { CountersHealth, type CountersSource, inMemory, openStore } from "./counters.ts";
import { inTime } from "./deadline.ts";
import { careful, type FleetNode, type FleetNodeOptions, OddRequests, startNode } from "./fleet-node.ts";
import { NodeState } from "./node-state.ts";
import { type GuardStatus, statusOf } from "./status.ts";

export interface RuntimeOptions extends FleetNodeOptions {
  readonly counters: CountersSource;
}

/** What a guard uses of its node: one of the fleet, or one on its own. */
export interface GuardNode
  extends Pick<
    FleetNode,
    | "state"
    | "ready"
    | "odd"
    | "log"
    | "fingerprints"
    | "lists"
    | "storedLimits"
    | "knownPolicy"
    | "announceReset"
  > {
  readonly reporter: Pick<
    Reporter,
    | "note"
    | "noteShadowed"
    | "noteExempt"
    | "noteSharedOverride"
    | "noteLimit"
    | "reportLimit"
    | "countScopes"
    | "redisMs"
  >;
  coveringEntries(client: Block): Promise<CoveringEntry[]>;
  /** Undefined in a process without Redis. */
  readonly redis?: FleetNode["redis"];
  readonly uplink?: FleetNode["uplink"];
}

/** What guards of the same settings share in one process. */
export interface Runtime {
  readonly node: GuardNode;
  readonly counters: CountersHealth;
  /** Undefined where neither Redis nor a process without Redis counts denials. */
  readonly bans?: Pick<Bans, "noteDenial">;
  status(): GuardStatus;
  /** Closes everything, once the last guard that shares it is closed. */
  close(): Promise<void>;
}

interface FleetRuntime extends Runtime {
  readonly node: FleetNode;
}

/** What the package's own adapters use of a guard. */
export interface GuardParts extends Pick<Runtime, "node" | "counters"> {
  readonly app: string;
}

// Next loads an app's module graphs separately: an adapter in one of them may get the guard of another.
const parts = () => oncePerProcess("guard-parts", () => new WeakMap<object, GuardParts>());

export function keepParts(guard: object, of: GuardParts): void {
  parts().set(guard, of);
}

/** Throws for what `createGuard` has not made. */
export function partsOfGuard(guard: object): GuardParts {
  const found = parts().get(guard);
  if (found) return found;
  throw new DomainError("bad-input", "Give the guard that createGuard has returned.", {
    guard: "is no guard",
  });
}

/** The process' node and counters for these settings: guards that are made again, as on a reload in development, share them. */
export function acquireRuntime(options: RuntimeOptions): FleetRuntime {
  const { redis, counters, app, protectedRanges } = options;
  if (typeof redis !== "string" || typeof counters !== "string") return open(options);
  return share([redis, counters, app, protectedRanges], () => open(options));
}

/** The same of a process without Redis. Of guards that share it, the last one that gives a policy decides. */
export function acquireInMemory({ app, protectedRanges, log, policy }: InMemoryOptions): Runtime {
  const runtime = share(["memory:", app, protectedRanges], () => {
    if (!isDevelopment()) careful(log)(sayUnshared(app));
    return openInMemory({ app, protectedRanges, log });
  });
  if (policy) runtime.node.setPolicy(policy);
  return runtime;
}

function share<R extends Runtime>(settings: readonly unknown[], make: () => R): R {
  const name = `runtime ${JSON.stringify(settings)}`;
  const shared = oncePerProcess(name, () => ({ runtime: make(), users: 0 }));
  shared.users++;
  let isOpen = true;
  return {
    ...shared.runtime,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (--shared.users > 0) return;
      forgetOnce(name);
      await shared.runtime.close();
    },
  };
}

const chargeEveryMs = 1_000;
const settleWithinMs = 500;

function open(options: RuntimeOptions): FleetRuntime {
  const node: FleetNode = startNode(options, () => counters.state);
  const { schedule, uplink, log } = node;
  const isBesideLists = options.counters === options.redis;
  const store = openStore(options.counters, {
    schedule,
    nodes: () => uplink.nodes,
    onOver: (rule, amount) => node.reporter.noteOver(rule, amount),
  });
  const counters = new CountersHealth({
    ...{ store, schedule, log },
    isLoggedAlready: () => isBesideLists && node.isAway,
  });
  const close = async () => {
    // The last report says what these charges found.
    if (store.settle) await inTime(store.settle(), performance.now() + settleWithinMs);
    await node.close();
    await store.close();
  };
  const status = () => statusOf(node, counters);
  const { send, connection } = store;
  if (send) uplink.add(chargeEveryMs, send);
  if (!connection) return { node, counters, status, close };
  const bans = createBans({
    control: node.redis,
    counters: connection,
    protectedRanges: () => node.state.protectedRanges,
    app: options.app,
    log,
  });
  uplink.add(chargeEveryMs, () => bans.send());
  return { node, counters, bans, status, close };
}

/** A runtime whose lists, customers and policy the process itself writes. */
interface MemoryRuntime extends Runtime {
  readonly node: MemoryNode;
}

interface InMemoryOptions extends Pick<FleetNodeOptions, "app" | "protectedRanges" | "log"> {
  /** That of a fresh install by default. */
  readonly policy: Policy | undefined;
}

const sayUnshared = (app: string) =>
  `sluice: app ${app} has redis: "memory:". Lists, policy and counts are in this process alone: no other process shares them, ` +
  "and they are lost when it ends. In production, give the address of Redis.";

interface MemorySettings extends Pick<FleetNodeOptions, "app" | "protectedRanges" | "log"> {
  /** Ms since 1970. */
  readonly clock?: () => number;
  readonly digestKey?: string;
}

/** Connects to nothing, and sets no timer. */
export function openInMemory(settings: MemorySettings): MemoryRuntime {
  const { clock = Date.now } = settings;
  const node = new MemoryNode(settings);
  const store = inMemory(createMemoryScales({ clock: () => Math.floor(clock() * 1_000) }));
  // Counters in the process are never away, so nothing is ever planned.
  const schedule = new Schedule();
  const counters = new CountersHealth({ store, schedule, log: node.log, isLoggedAlready: () => false });
  const status = (): GuardStatus => ({
    ...{ state: "ready", since: node.since, why: undefined, following: undefined },
  });
  const bans = createMemoryBans({
    lists: node,
    protectedRanges: () => node.state.protectedRanges,
    app: settings.app,
    clock,
  });
  return { node, counters, bans, status, close: async () => {} };
}

const never = Number.POSITIVE_INFINITY;

/** A node without Redis: what Redis would say, the process writes. It sends no reports. */
class MemoryNode implements GuardNode, BanList {
  readonly since = new Date();
  readonly state: NodeState;
  readonly odd: OddRequests;
  readonly log: (line: string) => void;
  readonly ready = Promise.resolve();
  readonly reporter = unreported;
  readonly fingerprints = undefined;
  readonly #clock: () => number;
  readonly #digest: Digest;
  readonly #entries = new Map<string, EntryHolding>();
  /** When the first of the entries ends. */
  #nextEndAt = never;

  constructor({ app, protectedRanges, log, clock = Date.now, digestKey }: MemorySettings) {
    this.log = careful(log);
    this.odd = new OddRequests(app, this.log);
    this.state = new NodeState({ protectedRanges, log: this.log });
    this.#clock = clock;
    this.#digest = digestBy(digestKey ?? randomBytes(32).toString("hex"));
    this.#take(freshInstall);
  }

  lists(): Lists {
    this.#dropEnded();
    return this.state.lists;
  }

  storedLimits(id: CustomerId): StoredLimits | undefined {
    return this.state.customers.get(id);
  }

  async knownPolicy(): Promise<StoredPolicy | undefined> {
    return this.state.policy;
  }

  async coveringEntries(client: Block): Promise<CoveringEntry[]> {
    this.#dropEnded();
    return coveringIn(this.#entries, client, this.state.protectedRanges);
  }

  /** There is no other node. */
  async announceReset(): Promise<boolean> {
    return true;
  }

  setPolicy(policy: Policy): void {
    const version = (this.state.policy?.version ?? 0) + 1;
    this.#take({ version, reason: "given in code", policy });
  }

  has(list: ListName, address: Ip | Cidr): boolean {
    this.#dropEnded();
    return this.#entries.has(keys.entry(list, address));
  }

  /** @param ttlMs null for an entry that never expires */
  setEntry(list: ListName, address: Ip | Cidr, note: string, ttlMs: number | null): void {
    const expiresAt = ttlMs === null ? null : this.#clock() + ttlMs;
    this.#entries.set(keys.entry(list, address), { kind: "string", value: note, expiresAt });
    this.#nextEndAt = Math.min(this.#nextEndAt, expiresAt ?? never);
    // It ends by this node's clock.
    this.state.copies.put(keys.entry(list, address), -1, note);
  }

  /** Returns false if there was none. */
  removeEntry(list: ListName, address: Ip | Cidr): boolean {
    return this.#remove(keys.entry(list, address));
  }

  /** Replaces what was set before. */
  setCustomer(id: CustomerId, { tier, override, isSuspended = false }: Partial<StoredLimits>): void {
    const { copies } = this.state;
    const [tierKey, overrideKey] = [keys.tier(id), keys.override(id)];
    copies.put(tierKey, tier === undefined ? gone : -1, tier);
    const fields = override?.flatMap(({ periodSeconds, limit }) => [String(periodSeconds), String(limit)]);
    copies.put(overrideKey, fields ? -1 : gone, fields);
    copies.put(keys.suspension(id), isSuspended ? -1 : gone, isSuspended ? "" : undefined);
    this.state.noteCopied(overrideKey);
  }

  #take(stored: StoredPolicy): void {
    this.state.takePolicy(stored, this.#digest);
  }

  #dropEnded(): void {
    const now = this.#clock();
    if (now < this.#nextEndAt) return;
    this.#nextEndAt = never;
    for (const [key, { expiresAt }] of this.#entries) {
      if (expiresAt === null) continue;
      if (expiresAt <= now) this.#remove(key);
      else this.#nextEndAt = Math.min(this.#nextEndAt, expiresAt);
    }
  }

  #remove(key: string): boolean {
    this.state.copies.put(key, gone);
    return this.#entries.delete(key);
  }
}

/** The life of a key that does not exist. */
const gone = -2;

const noScopes = new Map<never, never>();
const unreported: GuardNode["reporter"] = {
  note() {},
  noteShadowed() {},
  noteSharedOverride() {},
  noteExempt() {},
  noteLimit() {},
  reportLimit() {},
  countScopes: () => noScopes,
  redisMs: (atMs) => atMs,
};
