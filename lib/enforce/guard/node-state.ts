import { isDeepStrictEqual } from "node:util";
import type { Block } from "../../ip/block.ts";
import { type RangeList, rangeList } from "../../ip/range-list.ts";
import type { Connection } from "../../redis/connect.ts";
import { Copies } from "../../redis/copy.ts";
import { type CustomerId, customerOf, keys } from "../../redis/keys.ts";
import { banLengthsOf } from "../bans/denials.ts";
import { CustomerReplica } from "../customers/replica.ts";
import { readStoredLimits, SharedOverrides } from "../customers/stored-limits.ts";
import { Feeds } from "../lists/feeds.ts";
import { askLists } from "../lists/lookup.ts";
import { type BanLengths, noBanLengths } from "../lists/pending-ban.ts";
import { type ProtectedRange, readNeverBlock } from "../lists/protected.ts";
import { type Lists, Replica } from "../lists/replica.ts";
import type { StoredLimits } from "../policy/client.ts";
import { type LimitOverride, readLimitOverrides } from "../policy/code-limits.ts";
import type { Digest } from "../policy/identify.ts";
import type { StoredPolicy } from "../policy/stored.ts";
import { PolicyReader } from "../policy/versions.ts";
import { WritingKey } from "../references/keys.ts";
import { inTime } from "./deadline.ts";

/** Is called when what Redis says has changed. */
export interface Follower {
  onPolicy?(stored: StoredPolicy): void;
  /** A customer's tier, own levels or counters are not what they were. */
  onCustomer?(id: string): void;
  onEdge?(isInUse: boolean): void;
  /** What is published for limits of code is not what it was. */
  onLimits?(): void;
  /** Overrides of groups and patterns are not what they were. */
  onSharedOverrides?(): void;
  /** Everything was read again: what changed since is not known key by key. */
  onReload?(): void;
}

interface NodeStateOptions {
  /** What no entry may block: loopback, trusted proxies, and what the app itself names. */
  readonly protectedRanges: readonly ProtectedRange[];
  readonly log: (line: string) => void;
}

/** Node's timers take no longer time. */
const longestTimerMs = 2 ** 31 - 1;

/** What Redis says, as this process knows it. */
export class NodeState {
  readonly lists: Replica;
  readonly feeds: Feeds;
  readonly customers = new CustomerReplica((id) => this.#tellOfCustomer(id));
  /** Of groups of customers, and of patterns of their ids. */
  readonly sharedOverrides: SharedOverrides;
  /** What references of denials are written with. */
  readonly references = new WritingKey();
  /** What a load fills. */
  readonly copies: Copies;
  readonly #own: readonly ProtectedRange[];
  readonly #log: (line: string) => void;
  readonly #followers = new Set<Follower>();
  readonly #policyReader = new PolicyReader();
  #protectedRanges: readonly ProtectedRange[];
  #ranges: RangeList;
  #policy: StoredPolicy | undefined;
  #policyKnownSince: number | undefined;
  #banLengths = noBanLengths;
  #digest: Digest | undefined;
  #limitOverrides: ReadonlyMap<string, LimitOverride> = new Map();
  /** Until something of the policy ends. */
  #untilEnd: NodeJS.Timeout | undefined;

  constructor({ protectedRanges, log }: NodeStateOptions) {
    this.#own = protectedRanges;
    this.#log = log;
    this.#protectedRanges = protectedRanges;
    this.#ranges = rangesOf(protectedRanges);
    this.sharedOverrides = new SharedOverrides(log);
    this.feeds = new Feeds(log);
    this.feeds.protect(this.#ranges);
    this.lists = new Replica(this.#ranges, this.feeds);
    this.copies = new Copies([this.lists, this.customers]);
  }

  /** What no entry may block, here and by what Redis names for the whole fleet. */
  get protectedRanges(): readonly ProtectedRange[] {
    return this.#protectedRanges;
  }

  /** The same, for a search. */
  get ranges(): RangeList {
    return this.#ranges;
  }

  /** Undefined until Redis has answered, and where what it answered is no policy: then no rule is enforced. */
  get policy(): StoredPolicy | undefined {
    return this.#policy;
  }

  /** Networks that its rules ban. */
  get banLengths(): BanLengths {
    return this.#banLengths;
  }

  /** Date.now() when the first policy was read. */
  get policyKnownSince(): number | undefined {
    return this.#policyKnownSince;
  }

  /** What rules count values of headers and cookies by. */
  get digest(): Digest | undefined {
    return this.#digest;
  }

  /** What is published for limits of code, by app and name. */
  get limitOverrides(): ReadonlyMap<string, LimitOverride> {
    return this.#limitOverrides;
  }

  /** Returns a function that ends it. */
  subscribe(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** What says how the rest is to be taken: the policy with its mode, limits of code, shared overrides, and the protected ranges. */
  async readBasics(redis: Connection): Promise<void> {
    await Promise.all([
      this.#readNeverBlock(redis),
      this.#readLimits(redis),
      this.#readSharedOverrides(redis),
      this.#readPolicy(redis),
      this.references.read(redis),
    ]);
  }

  /** Reads a written key that is no part of the copies. */
  async read(redis: Connection, key: string): Promise<void> {
    if (key === keys.neverBlock()) await this.#readNeverBlock(redis);
    else if (key === keys.policy() || key === keys.digestKey()) await this.#readPolicy(redis);
    else if (key === keys.limitOverrides()) await this.#readLimits(redis);
    else if (key === keys.sharedOverrides()) await this.#readSharedOverrides(redis);
    else if (key === keys.feeds()) await this.feeds.read(redis);
    else if (key === keys.edgeInUse()) await this.#readEdge(redis);
    else if (key === keys.referenceKeys()) await this.references.read(redis);
    else if (key.startsWith(keys.resetPrefix())) this.#tellOfCustomer(key.slice(keys.resetPrefix().length));
  }

  /** A key of the copies was written. */
  noteCopied(key: string): void {
    const customer = customerOf(key);
    if (customer) this.#tellOfCustomer(customer.id);
  }

  /** The copies were loaded. */
  noteReload(): void {
    for (const follower of this.#followers) follower.onReload?.();
  }

  async #readNeverBlock(redis: Connection): Promise<void> {
    this.#protectedRanges = [...this.#own, ...(await readNeverBlock(redis))];
    this.#ranges = rangesOf(this.#protectedRanges);
    this.lists.protect(this.#ranges);
    this.feeds.protect(this.#ranges);
  }

  async #readLimits(redis: Connection): Promise<void> {
    const overrides = await readLimitOverrides(redis);
    if (isDeepStrictEqual(overrides, this.#limitOverrides)) return;
    this.#limitOverrides = overrides;
    for (const follower of this.#followers) follower.onLimits?.();
  }

  async #readSharedOverrides(redis: Connection): Promise<void> {
    if (!(await this.sharedOverrides.read(redis))) return;
    for (const follower of this.#followers) follower.onSharedOverrides?.();
  }

  async #readEdge(redis: Connection): Promise<void> {
    const isInUse = (await redis.exists(keys.edgeInUse())) === 1;
    for (const follower of this.#followers) follower.onEdge?.(isInUse);
  }

  async #readPolicy(redis: Connection): Promise<void> {
    const reading = await this.#policyReader.read(redis);
    if (!reading) return;
    if (!reading.ok) {
      const effect = this.#policy ? "The last one stays in force." : "No rule is enforced; the lists are.";
      return this.#log(`sluice: the policy in Redis cannot be used: ${reading.problem}. ${effect}`);
    }
    this.#takeUntilEnd(reading.stored, reading.digest);
  }

  /** What ends at a time ends without Redis, too. */
  #takeUntilEnd(stored: StoredPolicy, digest: Digest | undefined): void {
    this.takePolicy(stored, digest);
    clearTimeout(this.#untilEnd);
    const leftMs = this.#policyReader.msUntilEnd(stored);
    if (leftMs === Number.POSITIVE_INFINITY) return;
    this.#untilEnd = setTimeout(
      () => {
        const reading = this.#policyReader.again();
        if (reading?.ok) this.#takeUntilEnd(reading.stored, reading.digest);
      },
      Math.min(Math.ceil(leftMs) + 1, longestTimerMs),
    );
    this.#untilEnd.unref();
  }

  close(): void {
    clearTimeout(this.#untilEnd);
  }

  /** From now on this policy is in force. */
  takePolicy(stored: StoredPolicy, digest: Digest | undefined): void {
    this.#digest = digest;
    this.#policy = stored;
    this.#banLengths = banLengthsOf(stored.policy.rules);
    this.lists.enforceBansOf(this.#banLengths);
    this.#policyKnownSince ??= Date.now();
    for (const follower of this.#followers) follower.onPolicy?.(stored);
  }

  #tellOfCustomer(id: string): void {
    for (const follower of this.#followers) follower.onCustomer?.(id);
  }
}

function rangesOf(protectedRanges: readonly ProtectedRange[]): RangeList {
  return rangeList(protectedRanges.map(({ range }) => range));
}

/** What the first checks of a process ask Redis, before the copies are loaded. Undefined where it does not answer in time. */
export class FirstAnswers {
  readonly #redis: Connection;
  readonly #state: NodeState;
  readonly #isAway: () => boolean;
  readonly #isConnected: Promise<unknown>;
  #basics: Promise<void> | undefined;
  #hasAnswered = false;

  constructor(redis: Connection, state: NodeState, isAway: () => boolean) {
    this.#redis = redis;
    this.#state = state;
    this.#isAway = isAway;
    this.#isConnected = new Promise((resolve) => redis.once("ready", resolve));
  }

  /** Whether Redis has said anything yet. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The lists, once the mode is known, too: it says whether they are enforced. */
  async lists(client: Block, deadline: number): Promise<Lists | undefined> {
    const [lists] =
      (await this.#ask(deadline, () =>
        Promise.all([
          askLists(
            this.#redis,
            client,
            () => this.#state.ranges,
            () => this.#state.banLengths,
          ),
          this.basics(),
        ]),
      )) ?? [];
    const { feeds } = this.#state;
    const feedOf = (client: Block) => feeds.feedOf(client);
    return lists && { ...lists, feedOf, writerOf: (entry, client) => feeds.writerOf(entry, client) };
  }

  storedLimits(id: CustomerId, deadline: number): Promise<StoredLimits | undefined> {
    return this.#ask(deadline, () => readStoredLimits(this.#redis, id));
  }

  /** Policy and protected ranges. One reading for all callers while it lasts; the next one tries again if it failed. */
  basics(): Promise<void> {
    this.#basics ??= this.#isConnected
      .then(() => this.#state.readBasics(this.#redis))
      .then(
        () => {
          this.#hasAnswered = true;
        },
        (error: unknown) => {
          this.#basics = undefined;
          throw error;
        },
      );
    return this.#basics;
  }

  /** The first requests of a process may be faster than its connection; during an outage no request waits for one. */
  async #ask<T>(deadline: number, question: () => Promise<T>): Promise<T | undefined> {
    if (this.#isAway() && this.#redis.status !== "ready") return undefined;
    const answer = this.#isConnected.then(question).catch(() => undefined);
    return inTime(answer, deadline);
  }
}
