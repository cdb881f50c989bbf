import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { CustomerReplica } from "../../enforce/customers/replica.ts";
import { Feeds } from "../../enforce/lists/feeds.ts";
import { Replica } from "../../enforce/lists/replica.ts";
import { errorLine } from "../../errors.ts";
import { rangeList } from "../../ip/range-list.ts";
import { type Connection, connectControl, type RedisSource } from "../../redis/connect.ts";
import { Copies, sealPiece, snapshotFormat, snapshotHas } from "../../redis/copy.ts";
import { keys } from "../../redis/keys.ts";
import { Lease } from "../../redis/lease.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { lua } from "../../redis/lua.generated.ts";
import { type Mirror, startMirror } from "../../redis/mirror.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { defineScript } from "../../redis/script.ts";

interface Confirmation {
  readonly id: string;
  /** Length of the list before. */
  readonly length: number;
  readonly added: readonly string[];
  /** Whether the list then has every key that was written before the keeper began to ask. */
  readonly isComplete: boolean;
}

/** Nodes do not wait for a keeper that has ended. */
const headMs = 5_000;
/** A keeper that ends leaves this behind for so long. */
const restMs = 60_000;

const confirm = defineScript({
  lua: lua.confirmSnapshot,
  keys: ({ id }: Confirmation) => [keys.snapshot(), keys.snapshotPieces(id), keys.snapshotWritten(id)],
  args: ({ id, length, added, isComplete }) => [id, headMs, restMs, length, isComplete ? 1 : 0, ...added],
  reply: (isKept: number) => isKept === 1,
});

/** Keys that one call adds to the list. */
const addedTogether = 1_000;
/** No key of an entry or a customer is longer. */
const longestKey = 160;

/** The keys that were written since a snapshot was begun, each once: a node reads them as they are then. */
class WrittenSince {
  readonly id = randomBytes(9).toString("base64url");
  /** The load of the keeper's mirror since which it missed no write. */
  readonly load: number;
  readonly #seen = new Set<string>();
  #unsent: string[] = [];
  #sent = 0;

  constructor(load: number) {
    this.load = load;
  }

  get size(): number {
    return this.#seen.size;
  }

  add(key: string): void {
    if (key.length > longestKey || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#unsent.push(key);
  }

  /** Called after everything was heard. Says so once: what was heard later waits. False when Redis no longer has the snapshot. */
  async confirm(redis: Connection): Promise<boolean> {
    const unsent = this.#unsent;
    this.#unsent = [];
    let from = 0;
    do {
      const added = unsent.slice(from, from + addedTogether);
      from += addedTogether;
      const isComplete = from >= unsent.length;
      if (!(await confirm.run(redis, { id: this.id, length: this.#sent, added, isComplete }))) return false;
      this.#sent += added.length;
    } while (from < unsent.length);
    return true;
  }
}

interface KeptSnapshot {
  readonly written: WrittenSince;
  readonly keys: number;
  /** performance.now() */
  readonly since: number;
}

interface KeeperOptions {
  readonly redis: RedisSource;
  readonly log?: (line: string) => void;
  /** A walk of fewer pages, and fewer keys, is as fast as a snapshot. */
  readonly fewestPages?: number;
}

const beatMs = 100;
const leaseMs = 5_000;
const askForLeaseMs = 1_500;
const pageKeys = 1_000;
const renewAfterMs = 60_000;
const retryAfterMs = 30_000;

/**
 * Keeps a snapshot of what nodes hold of lists and customers, with a list of the keys that any program has written since. A
 * node that starts reads both in place of all keys. One console of the fleet does this, with a copy of its own that follows
 * Redis as a node's does.
 */
export class SnapshotKeeper {
  readonly #redis: RedisSource;
  readonly #log: (line: string) => void;
  readonly #fewestPages: number;
  readonly #end = new AbortController();
  readonly #leaseConnection: Connection;
  readonly #lease: Lease;
  #isOurs = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #mirror: Mirror | undefined;
  #lists = new Replica(rangeList([]), new Feeds());
  #customers = new CustomerReplica();
  #copies = new Copies([this.#lists, this.#customers]);
  #kept: KeptSnapshot | undefined;
  #begun: WrittenSince | undefined;
  #writing: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastFailure = "";
  #ended: Promise<void> | undefined;

  constructor({ redis, log = console.warn, fewestPages = 10 }: KeeperOptions) {
    this.#redis = redis;
    this.#log = log;
    this.#fewestPages = fewestPages;
    this.#leaseConnection = connectControl(redis, "promptly", "sluice-snapshot");
    this.#lease = new Lease(this.#leaseConnection, "snapshot", leaseMs);
  }

  /** Called once. */
  start(): void {
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#ended;
    await this.#close();
    await this.#lease.release();
    this.#leaseConnection.disconnect();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#beat().catch((error: unknown) => this.#fail(error));
      await pause(beatMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #beat(): Promise<void> {
    if (!(await this.#holdsLease())) return this.#close();
    this.#mirror ??= this.#open();
    this.#lists.dropEnded();
    const load = await this.#mirror.heardAll().catch(() => undefined);
    if (load === undefined) return;
    const kept = this.#kept;
    // A new one may have taken its place by the time of the answer.
    if (kept && !(await this.#keep(kept, load)) && this.#kept === kept) {
      this.#kept = undefined;
      // Another process may keep one by now.
      this.#askedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    if (this.#writing || !this.#isDue) return;
    this.#writing = this.#write(this.#mirror, load)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#writing = undefined;
        this.#begun = undefined;
      });
  }

  async #keep({ written }: KeptSnapshot, load: number): Promise<boolean> {
    if (!this.#mirror || written.load !== load) return false;
    return written.confirm(this.#mirror.feed);
  }

  async #holdsLease(): Promise<boolean> {
    if (this.#leaseConnection.status !== "ready") return false;
    if (performance.now() - this.#askedAt < askForLeaseMs) return this.#isOurs;
    this.#askedAt = performance.now();
    this.#isOurs = await this.#lease.isOurs();
    return this.#isOurs;
  }

  get #size(): number {
    const { safelist, blocklist } = this.#lists.entries;
    return safelist + blocklist + this.#customers.size;
  }

  get #isWorthIt(): boolean {
    const { pages = 0 } = this.#mirror?.walk ?? {};
    return Math.max(pages, this.#size / pageKeys) >= this.#fewestPages;
  }

  /** Without a snapshot, and where so much was written since that reading it again takes a fair part of a walk's time. */
  get #isDue(): boolean {
    if (!this.#isWorthIt || performance.now() - this.#failedAt < retryAfterMs) return false;
    if (!this.#kept) return true;
    const { written, keys: count, since } = this.#kept;
    if (written.size > Math.max(10_000, count / 4)) return true;
    return written.size > Math.max(1_000, count / 100) && performance.now() - since > renewAfterMs;
  }

  #open(): Mirror {
    this.#lists = new Replica(rangeList([]), new Feeds());
    this.#customers = new CustomerReplica();
    this.#copies = new Copies([this.#lists, this.#customers]);
    const note = (written: readonly string[]) => this.#note(written);
    return startMirror(this.#redis, this.#copies, {
      onCurrent: () => {},
      onLost: () => {},
      onApplied: () => {},
      onOther: () => {},
      onWritten: note,
      // A key that was written before a snapshot was begun, and read again after its place was packed.
      onCopied: (key) => note([key]),
    });
  }

  #note(written: readonly string[]): void {
    for (const key of written) {
      if (!this.#copies.holds(key)) continue;
      this.#kept?.written.add(key);
      this.#begun?.add(key);
    }
  }

  async #write({ feed, walk }: Mirror, load: number): Promise<void> {
    const written = new WrittenSince(load);
    this.#begun = written;
    const { id } = written;
    const [pieces, head] = [keys.snapshotPieces(id), keys.snapshot()];
    const asked = performance.now();
    const at = await redisNow(feed);
    const since = (asked + performance.now()) / 2;
    // Also where there is nothing to pack, so that its loss is seen.
    await feed.hset(pieces, "at", at);
    await feed.pexpire(pieces, restMs);
    const breathe = breathing();
    let [place, count] = [0, 0];
    for (const piece of this.#copies.pack(since)) {
      await feed.hset(pieces, String(place), sealPiece(id, place, piece.bytes));
      place++;
      count += piece.keys;
      await breathe();
    }
    const costMs = walk.costMs.toFixed(1);
    const about = { at, pieces: place, keys: count, pages: walk.pages, costMs, beats: 0, written: 0 };
    const before = this.#kept?.written.id;
    const publishing = feed
      .multi()
      .del(head)
      .hset(head, { format: snapshotFormat, has: snapshotHas, id, ...about });
    publishing.pexpire(head, headMs).pexpire(pieces, restMs);
    if (before !== undefined) publishing.unlink(keys.snapshotPieces(before), keys.snapshotWritten(before));
    const outcomes = await publishing.exec();
    for (const [error] of outcomes ?? []) if (error) throw error;
    this.#kept = { written, keys: count, since: performance.now() };
    this.#lastFailure = "";
  }

  /** Another process, or none, keeps the snapshot from now on. */
  async #close(): Promise<void> {
    const mirror = this.#mirror;
    if (!mirror) return;
    this.#mirror = undefined;
    await this.#writing;
    this.#kept = undefined;
    await mirror.close();
  }

  /** What Redis refuses, it will refuse again. A lost connection is found and reported elsewhere. */
  #fail(error: unknown): void {
    this.#kept = undefined;
    if (!(error instanceof Error && error.name === "ReplyError")) return;
    this.#failedAt = performance.now();
    const line = errorLine(error);
    if (line !== this.#lastFailure && !this.#end.signal.aborted)
      this.#log(
        `sluice: no snapshot of the lists is kept, so nodes read all entries at their start. ${line}`,
      );
    this.#lastFailure = line;
  }
}
