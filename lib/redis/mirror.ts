import { type Connection, connectControl, type RedisSource } from "./connect.ts";
import { type Copy, nodeScripts, type ReadingScripts } from "./copy.ts";
import { keys } from "./keys.ts";
import { Pulse } from "./pulse.ts";
import { Refresher } from "./refresher.ts";
import { Tracking } from "./tracking.ts";

export interface MirrorEvents {
  /** The copy is complete and current, for the first time or again. */
  onCurrent(): void;
  /** Redis is away, or what it announces no longer reaches us; the copy stays as it was. */
  onLost(reason: string): void;
  /** Every change up to this number is in the copy. */
  onApplied(change: number): void;
  /** A key under a tracked prefix, but outside the copy, was written; or may have been, when everything is read. */
  onOther(key: string): void | Promise<void>;
  /** A key of the copy was written. */
  onCopied?(key: string): void;
}

/** Read before everything else, because they say how the rest is to be taken. */
const readAtFirst = [keys.neverBlock(), keys.policy(), keys.edgeInUse()];
const watchEveryMs = 1_000;
const compareEveryMs = 30 * 60_000;
const restWhileComparingMs = 20;

/**
 * Keeps a copy of keys that anybody may write. Redis announces each written key to the listener; the feed reads it
 * again. Tracking is armed before the load begins: so no write is lost between load and announcement.
 */
export class Mirror {
  /** Also carries what the node itself has to say: heartbeats, acknowledgements, questions. */
  readonly feed: Connection;
  readonly #listener: Connection;
  readonly #tracking: Tracking;
  readonly #refresher: Refresher;
  readonly #events: MirrorEvents;
  #isArmed = false;
  /** One load at a time; what calls for another meanwhile is noted, and cuts it short. */
  #isLoading = false;
  #isLoadWanted = false;
  #isDraining = false;
  #isClosed = false;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(source: RedisSource, copy: Copy, events: MirrorEvents, scripts: ReadingScripts = nodeScripts) {
    this.#events = events;
    this.feed = connectControl(source, "promptly", "sluice-feed");
    this.#listener = connectControl(source, "listening", "sluice-listener");
    this.#tracking = new Tracking(this.feed, this.#listener);
    this.#refresher = new Refresher(this.feed, copy, scripts);
    this.#listener.on("messageBuffer", (_channel: Buffer, written: Buffer[] | null) => this.#hear(written));
    this.#pair(this.feed, this.#listener);
    this.#pair(this.#listener, this.feed);
    const pulses = [
      new Pulse(this.feed, () => this.#inspect()),
      // A failed ping is followed by the close of its connection, which tells more.
      new Pulse(this.#listener, () => this.#listener.ping().then(noop, noop)),
    ];
    for (const pulse of pulses) this.#every(watchEveryMs, () => pulse.beat());
    this.#every(compareEveryMs, () => void this.#compare());
  }

  /** Milliseconds since it was last certain that nothing was missed. */
  get ageMs(): number {
    return performance.now() - this.#confirmedAt;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#retryTimer);
    this.feed.disconnect();
    this.#listener.disconnect();
  }

  /** Both connections are one: what one of them lost, the other may not know. */
  #pair(connection: Connection, other: Connection): void {
    connection.on("ready", () => void this.#synchronise());
    connection.on("close", () => {
      this.#lose("the connection closed");
      if (!this.#isClosed && other.status === "ready") other.disconnect(true);
    });
  }

  async #synchronise(): Promise<void> {
    this.#isLoadWanted = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    clearTimeout(this.#retryTimer);
    try {
      while (this.#isLoadWanted && this.#tracking.isPossible) await this.#loadAll();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isLoading = false;
    }
    await this.#drain();
  }

  async #loadAll(): Promise<void> {
    this.#isLoadWanted = false;
    this.#isArmed = false;
    await this.#tracking.arm();
    this.#isArmed = true;
    for (const key of readAtFirst) await this.#events.onOther(key);
    if (!(await this.#refresher.load(() => !this.#isLoadWanted, 0))) return;
    // So that the number of the last change is read, too.
    this.#refresher.announce(keys.change());
    this.#confirmedAt = performance.now();
    this.#events.onCurrent();
  }

  #hear(written: Buffer[] | null): void {
    if (written === null) return void this.#synchronise(); // FLUSHALL, FLUSHDB
    for (const key of written) this.#refresher.announce(key.toString());
    void this.#drain();
  }

  /** Also while a load runs, so that the copy in use follows; but what is applied can be said only afterwards. */
  async #drain(): Promise<void> {
    if (this.#isDraining || !this.#isArmed) return;
    this.#isDraining = true;
    try {
      let change: number | undefined;
      do {
        while (this.#refresher.isBehind) change = await this.#refresher.catchUp(this.#events);
        // Announcements of all that was read so far are on the wire before this answer is.
        await this.#tracking.barrier();
      } while (this.#refresher.isBehind);
      if (change === undefined) return;
      if (this.#isLoading) this.#refresher.announce(keys.change());
      else this.#events.onApplied(change);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isDraining = false;
    }
  }

  async #inspect(): Promise<void> {
    if (!this.#isArmed || this.#isLoading) return;
    try {
      const isIntact = await this.#tracking.isIntact();
      if (!this.#isArmed || this.#isLoading) return;
      if (isIntact) this.#confirmedAt = performance.now();
      else await this.#synchronise();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Announcements should suffice; this finds what a bug or a server's fault would hide. Slow, so that nobody feels it. */
  async #compare(): Promise<void> {
    if (!this.#isArmed || this.#isLoading) return;
    this.#isLoading = true;
    try {
      await this.#refresher.load(() => !this.#isLoadWanted, restWhileComparingMs);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isLoading = false;
    }
    if (this.#isLoadWanted) await this.#synchronise();
    else await this.#drain();
  }

  #lose(reason: string): void {
    this.#isArmed = false;
    if (!this.#isClosed) this.#events.onLost(reason);
  }

  /** What failed may have hidden a change: begin again, unless a closed connection will do so by itself. */
  #fail(error: unknown): void {
    this.#lose(error instanceof Error ? error.message : String(error));
    if (this.#isClosed) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#synchronise(), 250 + Math.random() * 500).unref();
  }

  /** Jittered, so that a fleet that started together does not ask together. */
  #every(ms: number, task: () => void): void {
    this.#timers.push(setInterval(task, ms * (0.8 + Math.random() * 0.4)).unref());
  }
}

const noop = () => {};
