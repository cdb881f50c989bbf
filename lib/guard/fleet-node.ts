import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Block } from "../ip/block.ts";
import { type RangeList, rangeList } from "../ip/range-list.ts";
import { askLists } from "../lists/ask.ts";
import { readNeverBlock } from "../lists/never-block.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import { type Lists, Replica } from "../lists/replica.ts";
import type { RedisSource } from "../redis/connect.ts";
import { atHome, leaveHome } from "../redis/home.ts";
import { keys } from "../redis/keys.ts";
import { Mirror } from "../redis/mirror.ts";
import { acknowledge, heartbeat, heartbeatEveryMs, leave } from "../stats/nodes.ts";
import { version } from "./version.ts";

export interface FleetNodeOptions {
  readonly redis: RedisSource;
  readonly app: string;
  /** What no entry may block: loopback, trusted proxies, and what the app itself names. */
  readonly protectedRanges: readonly ProtectedRange[];
  readonly log: (line: string) => void;
}

const answerWithinMs = 50;

/** The process' node for these settings: guards that are made again, as on a reload in development, share it. */
export function openNode(options: FleetNodeOptions): FleetNode {
  if (typeof options.redis !== "string") return new FleetNode(options);
  const name = `node ${JSON.stringify([options.redis, options.app, options.protectedRanges])}`;
  return atHome(name, () => new FleetNode(options, () => leaveHome(name)));
}

/** One process of the fleet: its copy of the lists, and what it tells the others of itself. */
export class FleetNode {
  readonly id: string;
  readonly replica: Replica;
  readonly #options: FleetNodeOptions;
  readonly #mirror: Mirror;
  readonly #heart: NodeJS.Timeout;
  readonly #onClose: () => void;
  readonly #startedAt = Date.now();
  /** Resolves once the lists are in memory. */
  readonly ready: Promise<void>;
  readonly #isConnected: Promise<unknown>;
  #isReady: () => void = () => {};
  /** What no entry may block, here and by what Redis names for the whole fleet. */
  protectedRanges: readonly ProtectedRange[];
  #isLoaded = false;
  #isAway = false;
  #applied: number | undefined;

  constructor(options: FleetNodeOptions, onClose: () => void = () => {}) {
    this.#onClose = onClose;
    this.id = `${options.app}@${hostname()}:${process.pid}-${randomBytes(3).toString("hex")}`;
    this.#options = options;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    this.protectedRanges = options.protectedRanges;
    this.replica = new Replica(rangesOf(this.protectedRanges));
    this.#mirror = new Mirror(options.redis, this.replica, {
      onCurrent: () => this.#becomeCurrent(),
      onLost: (reason) => this.#becomeAway(reason),
      onApplied: (change) => void this.#acknowledge(change),
      onOther: (key) => this.#readOther(key),
    });
    this.#isConnected = new Promise((resolve) => this.#mirror.feed.once("ready", resolve));
    this.#heart = setInterval(() => void this.#beat(), heartbeatEveryMs).unref();
  }

  get redis() {
    return this.#mirror.feed;
  }

  /** The lists as this process knows them; before the first load is done, as Redis knows them. */
  lists(client: Block): Lists | Promise<Lists | undefined> {
    return this.#isLoaded ? this.replica : this.#ask(client);
  }

  async close(): Promise<void> {
    this.#onClose();
    clearInterval(this.#heart);
    this.replica.close();
    // Redis may be away; the heartbeat's own expiry then says that this node left.
    await leave(this.#mirror.feed, this.id).catch(() => {});
    this.#mirror.close();
  }

  /** Nothing when Redis does not answer in time: an unknown list must not hold a request up. */
  async #ask(client: Block): Promise<Lists | undefined> {
    // The first requests of a process may be faster than its connection; in an outage nobody waits for one.
    if (this.#isAway) return undefined;
    const answer = this.#isConnected
      .then(() => askLists(this.#mirror.feed, client, rangesOf(this.protectedRanges)))
      .catch(() => undefined);
    return Promise.race([answer, tooLate()]);
  }

  #becomeCurrent(): void {
    this.#isLoaded = true;
    this.#isReady();
    void this.#beat();
    if (!this.#isAway) return;
    this.#isAway = false;
    const { safelist, blocklist } = this.replica.entries;
    this.#options.log(
      `sluice: Redis is back; ${blocklist} blocklist and ${safelist} safelist entries are in force.`,
    );
  }

  #becomeAway(reason: string): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const meanwhile = this.#isLoaded
      ? "the lists stay in force as last known"
      : "requests pass until it answers";
    this.#options.log(`sluice: Redis is away (${reason}); ${meanwhile}.`);
  }

  async #readOther(key: string): Promise<void> {
    if (key !== keys.neverBlock()) return;
    const neverBlock = await readNeverBlock(this.#mirror.feed);
    this.protectedRanges = [...this.#options.protectedRanges, ...neverBlock];
    this.replica.protect(rangesOf(this.protectedRanges));
  }

  async #acknowledge(change: number): Promise<void> {
    const before = this.#applied;
    this.#applied = change;
    // A node that has just joined found the earlier changes in force; nobody waited for it.
    if (before === undefined) return this.#beat();
    if (change === before) return;
    // Numbers begin again when Redis was emptied.
    const from = change < before ? 0 : before;
    // If Redis goes away meanwhile, the next heartbeat tells the same.
    await acknowledge(this.#mirror.feed, this.id, from, change).catch(() => {});
  }

  async #beat(): Promise<void> {
    if (this.#isAway || this.#applied === undefined) return;
    const { safelist, blocklist } = this.replica.entries;
    const report = {
      id: this.id,
      app: this.#options.app,
      version,
      host: hostname(),
      startedAt: this.#startedAt,
      change: this.#applied,
      replicaAgeMs: Math.round(this.#mirror.ageMs),
      safelisted: safelist,
      blocklisted: blocklist,
    };
    // A missed heartbeat is told by the outage itself.
    await heartbeat(this.#mirror.feed, report).catch(() => {});
  }
}

function rangesOf(protectedRanges: readonly ProtectedRange[]): RangeList {
  return rangeList(protectedRanges.map(({ range }) => range));
}

function tooLate(): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(resolve, answerWithinMs, undefined).unref());
}
