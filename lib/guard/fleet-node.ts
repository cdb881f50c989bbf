import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { askStanding } from "../customers/ask.ts";
import { CustomerReplica } from "../customers/replica.ts";
import { Spotter } from "../edge/spotter.ts";
import { DomainError } from "../errors.ts";
import type { Block } from "../ip/block.ts";
import { type RangeList, rangeList } from "../ip/range-list.ts";
import { askLists } from "../lists/ask.ts";
import { readNeverBlock } from "../lists/never-block.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import { type Lists, Replica } from "../lists/replica.ts";
import { consoleApp } from "../policy/match.ts";
import type { Standing } from "../policy/standing.ts";
import { freshInstall, parsePolicy, type StoredPolicy } from "../policy/stored.ts";
import type { Connection, RedisSource } from "../redis/connect.ts";
import { Copies } from "../redis/copy.ts";
import { type CustomerId, customerOf, keys } from "../redis/keys.ts";
import { Mirror } from "../redis/mirror.ts";
import type { CountersState } from "../stats/nodes.ts";
import { Reporter } from "../stats/reporter.ts";
import { type Condition, Membership } from "./membership.ts";
import { version } from "./version.ts";

export interface FleetNodeOptions {
  readonly redis: RedisSource;
  readonly app: string;
  /** What no entry may block: loopback, trusted proxies, and what the app itself names. */
  readonly protectedRanges: readonly ProtectedRange[];
  readonly log: (line: string) => void;
}

/** Who wants to hear what changed beside the lists. */
export interface Follower {
  onPolicy(stored: StoredPolicy): void;
  /** A customer's tier, own levels or counters are not what they were. */
  onCustomer(id: string): void;
}

const answerWithinMs = 50;

/** One process of the fleet: its copies of lists, customers and policy, and what it tells the others of itself. */
export class FleetNode {
  readonly id: string;
  readonly replica: Replica;
  readonly customers = new CustomerReplica();
  /** Resolves once the copies are in memory. */
  readonly ready: Promise<void>;
  /** What no entry may block, here and by what Redis names for the whole fleet. */
  protectedRanges: readonly ProtectedRange[];
  policy: StoredPolicy = freshInstall;
  readonly followers = new Set<Follower>();
  readonly reporter: Reporter;
  /** Nothing for the console: its pages ask again and again, and staff must not be turned away for it. */
  readonly spotter: Spotter | undefined;
  /** What counts is not the node's own; whoever opens both says how to ask. */
  countersState: () => CountersState = () => "ok";
  readonly #options: FleetNodeOptions;
  readonly #mirror: Mirror;
  readonly #membership: Membership;
  readonly #startedAt = Date.now();
  readonly #isConnected: Promise<unknown>;
  #isReady: () => void = () => {};
  #isNeverReady: (reason: DomainError) => void = () => {};
  #isLoaded = false;
  #isAway = false;
  #unknownClients = 0;
  #failures = 0;

  constructor(options: FleetNodeOptions) {
    this.id = `${options.app}@${hostname()}:${process.pid}-${randomBytes(3).toString("hex")}`;
    this.#options = options;
    this.ready = new Promise((resolve, reject) => {
      this.#isReady = resolve;
      this.#isNeverReady = reject;
    });
    this.ready.catch(() => {}); // Not everybody waits for it.
    this.protectedRanges = options.protectedRanges;
    this.replica = new Replica(rangesOf(this.protectedRanges));
    this.#mirror = new Mirror(options.redis, new Copies([this.replica, this.customers]), {
      onCurrent: () => this.#becomeCurrent(),
      onLost: (reason) => this.#becomeAway(reason),
      onApplied: (change) => void this.#membership.hasApplied(change),
      onOther: (key) => this.#readOther(key),
      onCopied: (key) => this.#noticeCustomer(key),
    });
    this.#membership = new Membership(this.redis, this.id, () => this.#describe());
    this.reporter = new Reporter(this.redis, { app: options.app, node: this.id });
    this.spotter = options.app === consoleApp ? undefined : new Spotter(this.redis, this.policy.policy.edge);
    this.#isConnected = new Promise((resolve) => this.redis.once("ready", resolve));
  }

  get redis(): Connection {
    return this.#mirror.feed;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** The lists as this process knows them; before the first load is done, as Redis knows them. */
  lists(client: Block): Lists | Promise<Lists | undefined> {
    return this.#isLoaded ? this.replica : this.#ask(client);
  }

  /** What is known of a customer; before the first load is done, what Redis knows. */
  standing(id: CustomerId): Standing | undefined | Promise<Standing | undefined> {
    return this.#isLoaded ? this.customers.get(id) : this.#askStanding(id);
  }

  /** A request whose sender cannot be known: nothing is enforced on it, which nobody would notice by itself. */
  meetUnknown(): void {
    if (this.#unknownClients++ > 0) return;
    this.log(
      `sluice: app ${this.#options.app} does not say who is asking, so nothing is enforced on such requests. ` +
        'In a Next app, instrumentation.ts must have: export { register } from "sluice/next"',
    );
  }

  /** A request that could not be weighed at all passes; the first one is told in full. */
  fail(error: unknown): void {
    if (this.#failures++ > 0) return;
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log(`sluice: a request could not be weighed, and passed: ${why}`);
  }

  log(line: string): void {
    try {
      this.#options.log(line);
    } catch {
      // A logger that fails must not take the site with it.
    }
  }

  async close(): Promise<void> {
    this.replica.close();
    await Promise.all([this.reporter.close(), this.spotter?.close()]);
    await this.#membership.leave();
    this.#mirror.close();
    this.#isNeverReady(
      new DomainError("redis-unavailable", "The guard was closed before it had loaded the lists."),
    );
  }

  /** Nothing when Redis does not answer in time: an unknown list must not hold a request up. */
  async #ask(client: Block): Promise<Lists | undefined> {
    // The first requests of a process may be faster than its connection; in an outage nobody waits for one.
    if (this.#isAway && this.redis.status !== "ready") return undefined;
    const answer = this.#isConnected
      .then(() => this.#readNeverBlock())
      .then(() => askLists(this.redis, client, rangesOf(this.protectedRanges)))
      .catch(() => undefined);
    return Promise.race([answer, tooLate()]);
  }

  async #askStanding(id: CustomerId): Promise<Standing | undefined> {
    if (this.redis.status !== "ready") return undefined;
    return Promise.race([askStanding(this.redis, id).catch(() => undefined), tooLate()]);
  }

  #becomeCurrent(): void {
    this.#isLoaded = true;
    this.#isReady();
    void this.#membership.beat();
    if (!this.#isAway) return;
    this.#isAway = false;
    const { safelist, blocklist } = this.replica.entries;
    this.log(`sluice: Redis is back; ${blocklist} blocklist and ${safelist} safelist entries are in force.`);
  }

  #becomeAway(reason: string): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const meanwhile = this.#isLoaded
      ? "the lists stay in force as last known"
      : "requests pass until it answers";
    this.log(`sluice: Redis is away (${reason}); ${meanwhile}.`);
  }

  async #readOther(key: string): Promise<void> {
    if (key === keys.neverBlock()) await this.#readNeverBlock();
    else if (key === keys.policy()) await this.#readPolicy();
    else if (key === keys.edgeInUse()) await this.#readEdge();
    else if (key.startsWith(keys.resetPrefix())) this.#tellOfCustomer(key.slice(keys.resetPrefix().length));
  }

  async #readNeverBlock(): Promise<void> {
    const neverBlock = await readNeverBlock(this.redis);
    this.protectedRanges = [...this.#options.protectedRanges, ...neverBlock];
    this.replica.protect(rangesOf(this.protectedRanges));
  }

  async #readEdge(): Promise<void> {
    if (this.spotter) this.spotter.isOn = (await this.redis.exists(keys.edgeInUse())) === 1;
  }

  async #readPolicy(): Promise<void> {
    const text = await this.redis.get(keys.policy()).catch((error: Error) => {
      if (error.message.startsWith("WRONGTYPE")) return "";
      throw error;
    });
    const parsed = text === null ? { ok: true as const, stored: freshInstall } : parsePolicy(text);
    if (!parsed.ok)
      return this.log(`sluice: the policy in Redis is not obeyed: ${parsed.problem}. The last one stays.`);
    this.policy = parsed.stored;
    this.spotter?.obey(parsed.stored.policy.edge);
    for (const follower of this.followers) follower.onPolicy(parsed.stored);
  }

  #noticeCustomer(key: string): void {
    const customer = customerOf(key);
    if (customer) this.#tellOfCustomer(customer.id);
  }

  #tellOfCustomer(id: string): void {
    for (const follower of this.followers) follower.onCustomer(id);
  }

  #describe(): Condition {
    const { safelist, blocklist } = this.replica.entries;
    return {
      app: this.#options.app,
      version,
      host: hostname(),
      startedAt: this.#startedAt,
      replicaAgeMs: Math.round(this.#mirror.ageMs),
      safelisted: safelist,
      blocklisted: blocklist,
      unknownClients: this.#unknownClients,
      ...this.reporter.pace.read(),
      counters: this.countersState(),
    };
  }
}

function rangesOf(protectedRanges: readonly ProtectedRange[]): RangeList {
  return rangeList(protectedRanges.map(({ range }) => range));
}

function tooLate(): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(resolve, answerWithinMs, undefined).unref());
}
