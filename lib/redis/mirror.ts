import { setTimeout as pause } from "node:timers/promises";
import { type Connection, connectControl, type RedisSource } from "./connect.ts";
import { type Copy, loadPage, readChanged } from "./copy.ts";
import { keys, tracked } from "./keys.ts";
import { Pulse } from "./pulse.ts";

export interface MirrorEvents {
  /** The copy is complete and current, for the first time or again. */
  onCurrent(): void;
  /** Redis is away, or what it announces no longer reaches us; the copy stays as it was. */
  onLost(reason: string): void;
  /** Every change up to this number is in the copy. */
  onApplied(change: number): void;
  /** A key outside the copy, but under a tracked prefix, was written. */
  onOther(key: string): void | Promise<void>;
}

const channel = "__redis__:invalidate";
const batchSize = 500;
const watchEveryMs = 1_000;
const compareEveryMs = 30 * 60_000;

/**
 * Keeps a copy of keys that anybody may write. Redis announces each written key (CLIENT TRACKING, broadcast) to the
 * listener; the feed reads it again. Tracking is armed before the load begins, and a page never overwrites what was
 * read again since: so no write is lost between load and announcement.
 */
export class Mirror {
  /** Also carries what the node itself has to say: heartbeats, acknowledgements, questions. */
  readonly feed: Connection;
  readonly #listener: Connection;
  readonly #copy: Copy;
  readonly #events: MirrorEvents;
  readonly #changed = new Set<string>();
  /** While a load runs: the keys that were read again since it began. */
  #readAgain: Set<string> | undefined;
  #listenerId = 0;
  #round = 0;
  #isArmed = false;
  #isDraining = false;
  #isClosed = false;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(source: RedisSource, copy: Copy, events: MirrorEvents) {
    this.#copy = copy;
    this.#events = events;
    this.feed = connectControl(source, "promptly", "sluice-feed");
    this.#listener = connectControl(source, "listening", "sluice-listener");
    this.#listener.on("messageBuffer", (_channel: Buffer, written: Buffer[] | null) => this.#hear(written));
    this.#listener.on("ready", () => void this.#listen());
    this.feed.on("ready", () => void this.#synchronise());
    for (const connection of [this.feed, this.#listener])
      connection.on("close", () => this.#lose("the connection closed"));
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

  async #listen(): Promise<void> {
    try {
      this.#listenerId = await this.#listener.client("ID");
      await this.#listener.subscribe(channel);
      await this.#synchronise();
    } catch (error) {
      this.#retry(error);
    }
  }

  /** Arms tracking first and loads then: a write during the load is announced and read again. */
  async #synchronise(): Promise<void> {
    if (this.feed.status !== "ready" || !this.#isListening()) return;
    clearTimeout(this.#retryTimer);
    const round = ++this.#round;
    try {
      this.#isArmed = false;
      await this.feed.client("TRACKING", "OFF");
      const prefixes = tracked.flatMap((prefix) => ["PREFIX", prefix]);
      await this.feed.call("CLIENT", "TRACKING", "ON", "REDIRECT", this.#listenerId, "BCAST", ...prefixes);
      if (round !== this.#round) return;
      this.#isArmed = true;
      this.#changed.add(keys.neverBlock());
      if (!(await this.#load(round, 0))) return;
      this.#confirmedAt = performance.now();
      this.#events.onCurrent();
      await this.#drain();
    } catch (error) {
      if (round === this.#round) this.#retry(error);
    }
  }

  /** False when a newer round has begun meanwhile. */
  async #load(round: number, restMs: number): Promise<boolean> {
    this.#copy.begin();
    const readAgain = new Set<string>();
    this.#readAgain = readAgain;
    let cursor = "0";
    do {
      const page = await loadPage.run(this.feed, { cursor, pattern: this.#copy.pattern });
      if (round !== this.#round) return false;
      for (let i = 0; i < page.found.length; i += 2) {
        const key = String(page.found[i]);
        if (!readAgain.has(key)) this.#copy.load(key, Number(page.found[i + 1]));
      }
      cursor = page.cursor;
      if (restMs > 0) await pause(restMs);
    } while (cursor !== "0");
    this.#copy.finish();
    this.#readAgain = undefined;
    return true;
  }

  #hear(written: Buffer[] | null): void {
    if (written === null) return void this.#synchronise(); // FLUSHALL, FLUSHDB
    for (const key of written) this.#changed.add(key.toString());
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#isDraining || !this.#isArmed) return;
    this.#isDraining = true;
    try {
      let change: number | undefined;
      do {
        while (this.#changed.size > 0) change = await this.#readBatch();
        // Announcements of all that was read so far are on the wire before this answer is.
        await this.#listener.ping();
      } while (this.#changed.size > 0);
      if (change !== undefined) this.#events.onApplied(change);
    } catch (error) {
      this.#retry(error);
    } finally {
      this.#isDraining = false;
    }
  }

  async #readBatch(): Promise<number> {
    const batch = take(this.#changed, batchSize);
    const { change, ttls } = await readChanged.run(this.feed, batch);
    for (const [i, key] of batch.entries()) {
      if (!this.#copy.holds(key)) await this.#events.onOther(key);
      else this.#copy.put(key, ttls[i] ?? -2);
      this.#readAgain?.add(key);
    }
    return change;
  }

  /** A lost target, or a feed that no longer tracks, is silent by itself: ask. */
  async #inspect(): Promise<void> {
    const round = this.#round;
    try {
      const info = await this.feed.call("CLIENT", "TRACKINGINFO");
      if (round !== this.#round || !this.#isArmed) return;
      if (isIntact(info, this.#listenerId)) this.#confirmedAt = performance.now();
      else await this.#synchronise();
    } catch (error) {
      if (round === this.#round) this.#retry(error);
    }
  }

  /** Announcements should suffice; this finds what a bug or a server's fault would hide. Slow, so that nobody feels it. */
  async #compare(): Promise<void> {
    const round = this.#round;
    if (!this.#isArmed) return;
    try {
      await this.#load(round, 20);
    } catch (error) {
      if (round === this.#round) this.#retry(error);
    }
  }

  #isListening(): boolean {
    return this.#listener.status === "ready" && this.#listenerId > 0;
  }

  #lose(reason: string): void {
    if (this.#listener.status !== "ready") this.#listenerId = 0;
    this.#isArmed = false;
    this.#round++;
    if (!this.#isClosed) this.#events.onLost(reason);
  }

  /** What failed may have hidden a change: begin again, unless a closed connection will do so by itself. */
  #retry(error: unknown): void {
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

function take(from: Set<string>, count: number): string[] {
  const taken: string[] = [];
  for (const key of from) {
    if (taken.length === count) break;
    taken.push(key);
    from.delete(key);
  }
  return taken;
}

/** Reply: ["flags", [...], "redirect", id, "prefixes", [...]], in RESP3 the same as a flat list. */
function isIntact(info: unknown, listenerId: number): boolean {
  if (!Array.isArray(info)) return false;
  const flags: unknown = info[1];
  return (
    Array.isArray(flags) &&
    flags.includes("on") &&
    !flags.includes("broken_redirect") &&
    info[3] === listenerId
  );
}
