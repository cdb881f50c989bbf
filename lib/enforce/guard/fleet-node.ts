import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { isDevelopment } from "../../env.ts";
import { DomainError, errorLineWithStack } from "../../errors.ts";
import type { Block } from "../../ip/block.ts";
import { deleteAnnounced, setAnnounced } from "../../redis/change-stream.ts";
import { type Connection, lastErrorOf, type RedisSource } from "../../redis/connect.ts";
import { describeConnectionError, noAnswer, safeTargetName } from "../../redis/connection-error.ts";
import { nodeScripts } from "../../redis/copy.ts";
import { announcedWithinMs, type FollowingState, sayFollowing } from "../../redis/following.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { connectPair, Mirror, type Pair } from "../../redis/mirror.ts";
import { Schedule } from "../../redis/schedule.ts";
import { Uplink } from "../../redis/uplink.ts";
import { FingerprintCounter } from "../edge/sightings.ts";
import { feedsFormat } from "../lists/feeds.ts";
import { type CoveringEntry, findCovering } from "../lists/lookup.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import type { Lists } from "../lists/replica.ts";
import { costProblem } from "../policy/bounds.ts";
import type { IgnoredLimits, StoredLimits } from "../policy/client.ts";
import { consoleApp } from "../policy/match.ts";
import { freshInstall, type StoredPolicy } from "../policy/stored.ts";
import { policyFormat } from "../policy/versions.ts";
import { type Condition, type CountersState, heartbeatEveryMs, Membership } from "../stats/membership.ts";
import { Reporter } from "../stats/reporter.ts";
import { deadlineOf, inTime } from "./deadline.ts";
import { FirstAnswers, NodeState } from "./node-state.ts";
import { OutageLog } from "./status.ts";
import { nextVersion, version } from "./version.ts";

export interface FleetNodeOptions {
  readonly redis: RedisSource;
  readonly app: string;
  /** What no entry may block: loopback, trusted proxies, and what the app itself names. */
  readonly protectedRanges: readonly ProtectedRange[];
  readonly log: (line: string) => void;
}

/** Requests of which something is wrong. The first of each kind is logged. */
export class OddRequests {
  readonly #app: string;
  readonly #log: (line: string) => void;
  #unknownClients = 0;
  #failures = 0;
  #badCosts = 0;
  /** The first of each field. */
  readonly #ignoredLimits = new Map<IgnoredLimits["field"], string>();

  constructor(app: string, log: (line: string) => void) {
    this.#app = app;
    this.#log = log;
  }

  get unknownClients(): number {
    return this.#unknownClients;
  }

  /** A request whose sender cannot be known: nothing is enforced on it. */
  meetUnknown(): void {
    if (this.#unknownClients++ > 0) return;
    this.#log(
      `sluice: app ${this.#app} does not say who is asking, so nothing is enforced on such requests. ` +
        'In a Next app, instrumentation.ts must have: export { register } from "sluice/next"',
    );
  }

  /** Throws in development and in tests, so that a mistake is found before it is in use. */
  meetCost(cost: unknown, what: string): void {
    const problem = costProblem(cost);
    if (problem === undefined) return;
    if (isDevelopment()) throw new DomainError("bad-input", `${what}: ${problem}.`, { cost: problem });
    if (this.#badCosts++ > 0) return;
    this.#log(`sluice: app ${this.#app} gives costs that cannot be charged as they are: ${problem}.`);
  }

  get ignoredLimits(): string {
    return [...this.#ignoredLimits.values()].join("; ").slice(0, 300);
  }

  /** An app's session gives a tier or limits that are ignored: the first of each is logged and reported. */
  meetIgnoredLimits({ field, says }: IgnoredLimits): void {
    if (this.#ignoredLimits.has(field)) return;
    this.#ignoredLimits.set(field, `${field}: ${says}`);
    this.#log(
      `sluice: app ${this.#app} gives customers a ${field === "tier" ? "tier" : "list of limits"} that is ignored: ${says}.`,
    );
  }

  /** A request that could not be weighed at all passes; the first one is logged in full. */
  fail(error: unknown): void {
    if (this.#failures++ > 0) return;
    this.#log(`sluice: a request could not be weighed, and passed: ${errorLineWithStack(error)}`);
  }
}

/** A logger that fails must not take the site with it. */
export function careful(log: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      log(line);
    } catch {}
  };
}

const resetAnnouncedForSeconds = 60;
/** A server that does not answer must not hold up the end of a process. */
const farewellWithinMs = 500;
/** A first answer that takes longer is worth a cause. */
const silentAfterMs = 1_000;
const tellEveryMs = 1_000;
/** One part of the tables a turn: all of them four times a minute. */
const dropEndedEveryMs = 50;

/** Connects in the background. */
export function startNode(options: FleetNodeOptions, countersState: () => CountersState): FleetNode {
  const node = new FleetNode(options, connectPair(options.redis), countersState);
  node.start();
  return node;
}

/** One process of the fleet: what it knows, what it tells, and how it is. */
export class FleetNode {
  readonly id: string;
  readonly state: NodeState;
  /** What this process does by the clock; what it hears of Redis has a schedule of its own. */
  readonly schedule = new Schedule();
  readonly uplink: Uplink;
  readonly reporter: Reporter;
  /** Undefined in the console: its polling must never get staff limited at the edge. */
  readonly fingerprints: FingerprintCounter | undefined;
  /** Resolves once the copies and feeds are in memory. */
  readonly ready: Promise<void>;
  readonly startedAt = Date.now();
  readonly odd: OddRequests;
  readonly log: (line: string) => void;
  readonly #options: FleetNodeOptions;
  readonly #countersState: () => CountersState;
  readonly #mirror: Mirror;
  readonly #firstAnswers: FirstAnswers;
  readonly #membership: Membership;
  readonly #outage: OutageLog;
  readonly #target: string;
  #isReady: () => void = () => {};
  #isNeverReady: (reason: DomainError) => void = () => {};
  /** Date.now() of the first load's end. */
  #loadedAt: number | undefined;
  #currentAt: number | undefined;
  #lastTrouble: Error | undefined;
  #following: FollowingState | undefined;
  /** The last state that the log names. */
  #loggedFollowing: FollowingState = { by: "tracking", othersWithinMs: announcedWithinMs };

  constructor(options: FleetNodeOptions, connections: Pair, countersState: () => CountersState) {
    const { app, redis, protectedRanges } = options;
    const log = careful(options.log);
    this.log = log;
    this.odd = new OddRequests(app, log);
    this.id = `${app}@${hostname()}:${process.pid}-${randomBytes(3).toString("hex")}`;
    this.#options = options;
    this.#countersState = countersState;
    this.ready = new Promise((resolve, reject) => {
      this.#isReady = resolve;
      this.#isNeverReady = reject;
    });
    this.ready.catch(() => {}); // Not everybody waits for it.
    this.state = new NodeState({ protectedRanges, log });
    this.#outage = new OutageLog(this.schedule, (line) => log(`sluice: ${line}`), {
      begin: () => this.sayOutage(),
      end: () => this.#sayReturn(),
    });
    const events = {
      onLoaded: () => {
        this.#loadedAt ??= Date.now();
      },
      onCurrent: () => this.#becomeCurrent(),
      onLost: (reason: Error) => this.#becomeAway(reason),
      onFollowing: (state: FollowingState) => this.#tellFollowing(state),
      onApplied: (change: number) => void this.#membership.hasApplied(change),
      onOther: (key: string) => this.state.read(this.redis, key),
      onCopied: (key: string) => this.state.noteCopied(key),
    };
    this.#mirror = new Mirror({
      ...{ ...connections, copy: this.state.copies, events, scripts: nodeScripts, usesSnapshot: true },
    });
    // A bad address is refused before, by the option's name.
    this.#target = safeTargetName(redis);
    this.#firstAnswers = new FirstAnswers(this.redis, this.state, () => this.isAway);
    this.#membership = new Membership(this.redis, this.id, () => this.#describe());
    this.uplink = new Uplink(this.redis, this.schedule);
    this.reporter = new Reporter(this.uplink, { app, node: this.id }, app !== consoleApp);
    this.fingerprints =
      app === consoleApp ? undefined : new FingerprintCounter(this.uplink, freshInstall.policy.edge);
  }

  /** Called once. */
  start(): void {
    this.#mirror.start();
    // The mode may be off. That must not depend on the load, nor on how changes are followed.
    void this.#firstAnswers.basics().catch(() => {});
    this.schedule.every(dropEndedEveryMs, () => this.state.lists.dropEnded());
    this.uplink.add(tellEveryMs, () => this.reporter.send());
    this.uplink.add(tellEveryMs, () => this.reporter.sendOwners());
    // A turn of its own: a slow one makes no report of counts late.
    this.uplink.add(tellEveryMs, () => this.reporter.sendClients(this.redis));
    this.uplink.add(tellEveryMs, () => this.reporter.sendLimits(this.redis));
    this.uplink.add(tellEveryMs, () => this.reporter.sendOverrideUses(this.redis));
    this.uplink.add(heartbeatEveryMs, () => this.#membership.beat());
    const { fingerprints } = this;
    if (!fingerprints) return;
    this.uplink.add(tellEveryMs, () => fingerprints.send());
    this.state.subscribe({
      onPolicy: ({ policy }) => fingerprints.setPolicy(policy.edge),
      onEdge: (isInUse) => fingerprints.switch(isInUse),
    });
  }

  get redis(): Connection {
    return this.#mirror.feed;
  }

  get isAway(): boolean {
    return this.awaySince !== undefined;
  }

  get awaySince(): number | undefined {
    return this.#outage.since;
  }

  /** Date.now() when the copies were loaded for the first time. Undefined before. */
  get loadedAt(): number | undefined {
    return this.#loadedAt;
  }

  /** When the present state of copies, feeds and the policy began, in ms. Undefined before they are read. */
  get currentSince(): number | undefined {
    if (this.#currentAt === undefined) return undefined;
    return Math.max(this.#currentAt, this.state.policyKnownSince ?? 0);
  }

  get following(): FollowingState | undefined {
    return this.#following;
  }

  get #isLoaded(): boolean {
    return this.#loadedAt !== undefined;
  }

  /**
   * The lists as this process knows them; before the first load is done, as Redis knows them. Undefined when it does not
   * answer in time: an unknown list must not hold a request up.
   */
  lists(client: Block, deadline: number): Lists | Promise<Lists | undefined> {
    return this.#isLoaded ? this.state.lists : this.#firstAnswers.lists(client, deadline);
  }

  /** What is known of a customer; before the first load is done, what Redis knows. */
  storedLimits(
    id: CustomerId,
    deadline: number,
  ): StoredLimits | undefined | Promise<StoredLimits | undefined> {
    return this.#isLoaded ? this.state.customers.get(id) : this.#firstAnswers.storedLimits(id, deadline);
  }

  /** The policy, as soon as it is read; undefined when Redis does not answer in time. */
  async knownPolicy(): Promise<StoredPolicy | undefined> {
    if (this.state.policy || (this.isAway && this.redis.status !== "ready")) return this.state.policy;
    const reading = this.#firstAnswers.basics().catch(() => {});
    await inTime(reading, deadlineOf());
    return this.state.policy;
  }

  /**
   * Makes all nodes forget what they remember of a client. One of two resets in a minute ends the other's announcement: that is
   * one, too.
   */
  async announceReset(client: string): Promise<boolean> {
    const key = keys.reset(client);
    try {
      return (
        (await setAnnounced(this.redis, key, "1", resetAnnouncedForSeconds)) ||
        (await deleteAnnounced(this.redis, key))
      );
    } catch {
      return false;
    }
  }

  /** Every entry that covers a client, as Redis has them now. */
  coveringEntries(client: Block): Promise<CoveringEntry[]> {
    return findCovering(this.redis, client, this.state.protectedRanges);
  }

  /** Tells what is left to tell, leaves the fleet and disconnects. */
  async close(): Promise<void> {
    this.schedule.close();
    this.state.close();
    await this.uplink.close();
    // Without its connection, whatever still waits for an answer fails.
    const limit = setTimeout(() => this.redis.disconnect(), farewellWithinMs);
    await this.#membership.close();
    await this.#mirror.close();
    clearTimeout(limit);
    this.#isNeverReady(
      new DomainError("redis-unavailable", "The guard was closed before it had loaded the lists."),
    );
  }

  /** Why the copies are not loaded yet. */
  sayStart(): string {
    const isSilent = !this.#firstAnswers.hasAnswered && Date.now() - this.startedAt > silentAfterMs;
    return isSilent ? this.sayOutage() : "Lists and policy are being loaded.";
  }

  /** Cause, then consequence. */
  sayOutage(): string {
    const trouble = lastErrorOf(this.redis) ?? this.#lastTrouble ?? noAnswer();
    const effect = this.#isLoaded
      ? "Lists and policy stay in force as last known."
      : "Nothing is enforced until Redis answers: all requests pass.";
    return `${describeConnectionError(trouble, this.#target)} ${effect}`;
  }

  #sayReturn(): string {
    const { safelist, blocklist } = this.state.lists.entries;
    return `Redis at ${this.#target} answers again. ${blocklist} blocklist and ${safelist} safelist entries are in force.`;
  }

  #becomeCurrent(): void {
    if (this.#currentAt === undefined || this.isAway) this.#currentAt = Date.now();
    this.#isReady();
    void this.#membership.beat();
    this.state.noteReload();
    this.#outage.end();
  }

  #becomeAway(reason: Error): void {
    this.#lastTrouble = reason;
    this.#outage.begin();
  }

  /**
   * Tracking is what every node expects to have, so only other ways are worth a line. A scan gets faster and slower with the
   * number of entries: only the slowest is logged.
   */
  #tellFollowing(state: FollowingState): void {
    this.#following = state;
    const logged = this.#loggedFollowing;
    const isLogged = logged.by === state.by && logged.othersWithinMs >= state.othersWithinMs;
    if (isLogged) return;
    this.#loggedFollowing = state;
    this.log(`sluice: ${sayFollowing(state)}`);
  }

  #describe(): Condition {
    const { safelist, blocklist } = this.state.lists.entries;
    const next = nextVersion();
    return {
      app: this.#options.app,
      version,
      ...(next !== undefined && { next }),
      node: process.version.slice(1),
      host: hostname(),
      startedAt: this.startedAt,
      replicaAgeMs: Math.round(this.#mirror.ageMs),
      safelisted: safelist,
      blocklisted: blocklist,
      unknownClients: this.odd.unknownClients,
      ...this.reporter.pace.read(),
      counters: this.#countersState(),
      ...(this.#following && {
        following: this.#following.by,
        othersWithinMs: this.#following.othersWithinMs,
        ...(this.#following.because !== undefined && {
          notTracking: this.#following.because.slice(0, 200),
        }),
      }),
      ...(this.odd.ignoredLimits !== "" && { ignoredLimits: this.odd.ignoredLimits }),
      policyFormat,
      overridesFormat: this.reporter.reportsOverrideUses ? 1 : 0,
      ownersFormat: this.reporter.ownersFormat,
      feedsFormat: this.state.feeds.isRefused ? 0 : feedsFormat,
    };
  }
}
