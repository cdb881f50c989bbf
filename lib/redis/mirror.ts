import { setTimeout as pause } from "node:timers/promises";
import { Polling } from "./change-stream.ts";
import { type Connection, connectControl, giveUp, lastErrorOf, Pulse, type RedisSource } from "./connect.ts";
import { type Copy, nodeScripts, type ReadingScripts } from "./copy.ts";
import {
  announcedWithinMs,
  type Following,
  type FollowingState,
  isTrackingRefused,
  Notifications,
  Tracking,
} from "./following.ts";
import { Scan } from "./key-scan.ts";
import { keys } from "./keys.ts";
import { Refresher } from "./refresher.ts";
import { jittered, Schedule, type Task } from "./schedule.ts";

export interface MirrorEvents {
  /** The copy is complete; what is read after it is not known yet. */
  onLoaded?(): void;
  /** Everything is complete and current, for the first time or again. */
  onCurrent(): void;
  /** Redis is away, or what it announces no longer reaches us; the copy stays as it was. */
  onLost(reason: Error): void;
  /** Every change up to this number is in the copy. */
  onApplied(change: number): void;
  /** A key under a tracked prefix, but outside the copy, was written; or may have been, when everything is read. */
  onOther(key: string): void | Promise<void>;
  /** A key of the copy was written, and the copy has it. */
  onCopied?(key: string): void;
  /** Keys were written, or a scan found them otherwise than in the copy. The copy may not have them yet. */
  onWritten?(keys: readonly string[]): void;
  /** Changes are followed in another way than before. */
  onFollowing?(state: FollowingState): void;
}

/** Two connections to one server. */
export interface Pair {
  readonly feed: Connection;
  readonly listener: Connection;
}

interface MirrorOptions extends Pair {
  readonly copy: Copy;
  readonly events: MirrorEvents;
  readonly scripts: ReadingScripts;
  /** For a node of the fleet: whether it reads the snapshot that a console keeps in place of all keys. */
  readonly usesSnapshot?: boolean;
}

/** Read before everything else, because they say how the rest is to be taken. */
const readAtFirst = [
  keys.neverBlock(),
  keys.limitOverrides(),
  keys.sharedOverrides(),
  keys.policy(),
  keys.edgeInUse(),
  keys.referenceKeys(),
];
/** Feeds may have millions of ranges: nothing waits for them. */
const readAtLast = [keys.feeds()];
const watchEveryMs = 1_000;
const probeEveryMs = 15_000;
/** What no copy holds is read again so often, where only a scan finds what other programs write. */
const readAgainEveryMs = 10_000;
/** Redis' time for a load of all nodes, from which on they wait for a snapshot where they had loaded before. */
const longFleetLoadMs = 20_000;
const waitForSnapshotMs = 20_000;
const askForSnapshotMs = 500;
/** A connection that leads elsewhere, or announcements that do not arrive, may be a failover. More often, it is a proxy. */
const mostFailures = 3;

export function connectPair(source: RedisSource): Pair {
  return {
    feed: connectControl(source, "promptly", "sluice-feed"),
    listener: connectControl(source, "listening", "sluice-listener"),
  };
}

/** Connects in the background, and keeps a copy from then on. */
export function startMirror(
  source: RedisSource,
  copy: Copy,
  events: MirrorEvents,
  scripts: ReadingScripts = nodeScripts,
): Mirror {
  const feed = connectControl(source, "promptly", "sluice-feed");
  const listener = connectControl(source, "listening", "sluice-listener");
  const mirror = new Mirror({ feed, listener, copy, events, scripts });
  mirror.start();
  return mirror;
}

/**
 * Keeps a copy of keys that any program may write, and reads written keys again. It learns of writes by client tracking:
 * Redis announces each written key to the listener. Where Redis refuses that, it polls. Following begins before the
 * load: so no write is lost between them.
 */
export class Mirror {
  /** Also carries what the node itself has to say: heartbeats, acknowledgements, questions. */
  readonly feed: Connection;
  readonly #listener: Connection;
  readonly #tracking: Tracking;
  readonly #polling: Polling;
  readonly #notifications: Notifications;
  readonly #scan: Scan;
  readonly #refresher: Refresher;
  readonly #events: MirrorEvents;
  #following: Following;
  readonly #usesSnapshot: boolean;
  #hasLoaded = false;
  /** How many loads began. */
  #loads = 0;
  /** Why client tracking is not used until the next connection. */
  #refusal: string | undefined;
  #trackingFailures = 0;
  #reported = "";
  #isArmed = false;
  /** One load at a time; a call for another is noted, and cuts it short. */
  #isLoading = false;
  #isLoadWanted = false;
  #isDraining = false;
  #isClosed = false;
  #applied: number | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #retry: Task | undefined;
  readonly #schedule = new Schedule();

  constructor({ feed, listener, copy, events, scripts, usesSnapshot = false }: MirrorOptions) {
    this.#usesSnapshot = usesSnapshot;
    this.#events = events;
    this.feed = feed;
    this.#listener = listener;
    const hear = (written: readonly string[] | null) => this.#hear(written);
    this.#tracking = new Tracking(this.feed, this.#listener, hear);
    this.#polling = new Polling(this.feed, this.#schedule, hear, {
      onPolled: (error) => this.#hasPolled(error),
      onMark: (mark) => this.#scan.hear(mark),
    });
    this.#notifications = new Notifications(this.feed, this.#listener, hear);
    this.#following = this.#tracking;
    this.#refresher = new Refresher(this.feed, copy, scripts);
    this.#scan = new Scan({
      ...{ feed, schedule: this.#schedule, refresher: this.#refresher },
      ...{ canHold: copy.missing !== undefined, isOfFleet: usesSnapshot },
      events: {
        canWalk: () => this.#isArmed && !this.#isLoading,
        isNeeded: () => this.following.by === "polling",
        place: () => this.#polling.place,
        onFound: (found) => this.#events.onWritten?.(found),
        onPaced: () => this.#tellFollowing(),
        onWalked: () => void this.#drain(),
        onFailed: (error: unknown) => this.#fail(error),
      },
    });
  }

  /** Called once. */
  start(): void {
    this.#pair(this.feed, this.#listener);
    this.#pair(this.#listener, this.feed);
    const pulses = [
      new Pulse(this.feed, () => this.#inspect()),
      // A failed ping is followed by the close of its connection, which tells more.
      new Pulse(this.#listener, () => this.#listener.ping().then(noop, noop)),
    ];
    for (const pulse of pulses) this.#every(watchEveryMs, () => pulse.beat());
    this.#every(probeEveryMs, () => void this.#probe());
    this.#every(readAgainEveryMs, () => void this.#readAgain());
    this.#scan.start();
  }

  /** Milliseconds since it was last certain that nothing was missed. */
  get ageMs(): number {
    return performance.now() - this.#confirmedAt;
  }

  get following(): FollowingState {
    if (this.#refusal === undefined) return { by: "tracking", othersWithinMs: announcedWithinMs };
    const because = this.#refusal;
    return this.#notifications.isOn
      ? { by: "notifications", othersWithinMs: announcedWithinMs, because }
      : { by: "polling", othersWithinMs: this.#scan.foundWithinMs, because };
  }

  /** What a walk through all keys costs. */
  get walk(): { readonly pages: number; readonly costMs: number } {
    return { pages: this.#refresher.pages, costMs: this.#refresher.walkCostMs };
  }

  /**
   * Resolves once `onWritten` had every key that was written before the call: with the number of the load since which it missed
   * none. Undefined where that is not certain.
   */
  async heardAll(): Promise<number | undefined> {
    const load = this.#loads;
    if (!this.#isFollowed) return undefined;
    // Keyspace notifications arrive at the listener, too.
    await Promise.all([this.#following.barrier(), this.#listener.ping()]);
    const isIntact = await this.#following.isIntact();
    return isIntact && this.#isFollowed && load === this.#loads ? load : undefined;
  }

  /** Everything is read, and what other programs write is announced to this process. */
  get #isFollowed(): boolean {
    return this.#isArmed && !this.#isLoading && (this.following.by !== "polling" || this.#scan.isInStep);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#schedule.close();
    this.#polling.disarm();
    this.#listener.disconnect();
    await this.#scan.close();
    this.feed.disconnect();
  }

  /** Both connections are one: what one of them lost, the other may not know. */
  #pair(connection: Connection, other: Connection): void {
    connection.on("ready", () => void this.#synchronise());
    connection.on("close", () => {
      // Another server, or the same with other rights, may allow client tracking.
      this.#refusal = undefined;
      this.#trackingFailures = 0;
      const why = lastErrorOf(connection) ?? lastErrorOf(other);
      this.#lose(why ?? new Error("the connection closed"));
      if (!this.#isClosed && other.status === "ready")
        giveUp(other, why ?? new Error("the connection closed"));
    });
  }

  get #isConnected(): boolean {
    return this.feed.status === "ready" && this.#listener.status === "ready";
  }

  async #synchronise(): Promise<void> {
    this.#isLoadWanted = true;
    this.#scan.stop();
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#retry?.cancel();
    try {
      while (this.#isLoadWanted && this.#isConnected) await this.#loadAll();
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
    this.#loads++;
    await this.#follow();
    const { place } = this.#polling;
    this.#isArmed = true;
    for (const key of readAtFirst) await this.#events.onOther(key);
    if (!(await this.#read())) return;
    this.#hasLoaded = true;
    this.#events.onLoaded?.();
    for (const key of readAtLast) await this.#events.onOther(key);
    if (this.#isLoadWanted) return;
    await this.#scan.hasLoaded(place);
    this.#scan.plan();
    // So that the number of the last change is read, too.
    this.#refresher.announce(keys.change());
    this.#confirmedAt = performance.now();
    this.#tellFollowing();
    this.#events.onCurrent();
  }

  /** False when it had to be given up. */
  async #read(): Promise<boolean> {
    const isWanted = () => !this.#isLoadWanted;
    if (this.#usesSnapshot) {
      const deadline = performance.now() + (await this.#patienceMs());
      do {
        if (await this.#refresher.loadSnapshot(isWanted)) return true;
      } while (isWanted() && performance.now() < deadline && (await this.#rest()));
    }
    return isWanted() && (await this.#refresher.load(isWanted));
  }

  /** A large fleet that lost Redis would keep it busy for long, and the old copy is in force until a console has a new snapshot. */
  async #patienceMs(): Promise<number> {
    if (!this.#hasLoaded) return 0;
    return (await this.#scan.fleetLoadMs()) > longFleetLoadMs ? jittered(waitForSnapshotMs) : 0;
  }

  async #rest(): Promise<true> {
    await pause(jittered(askForSnapshotMs), undefined, { ref: false });
    return true;
  }

  /** In the best way that this server and this account allow. */
  async #follow(): Promise<void> {
    if (this.#refusal === undefined) {
      try {
        await this.#tracking.arm();
        this.#following = this.#tracking;
        return;
      } catch (error) {
        if (!isTrackingRefused(error) && (!this.#isConnected || ++this.#trackingFailures < mostFailures))
          throw error;
        this.#refuseTracking(error);
      }
    }
    this.#following = this.#polling;
    await this.#polling.arm();
    await this.#notifications.subscribe();
    void this.#probe();
  }

  #refuseTracking(why: unknown): void {
    this.#refusal = why instanceof Error ? why.message : String(why);
    this.#tracking.disarm();
  }

  #tellFollowing(): void {
    const state = this.following;
    const report = `${state.by} ${state.othersWithinMs}`;
    if (report === this.#reported) return;
    this.#reported = report;
    this.#events.onFollowing?.(state);
  }

  #hear(written: readonly string[] | null): void {
    if (written === null) return void this.#synchronise(); // FLUSHALL, FLUSHDB, or a gap
    this.#events.onWritten?.(written);
    for (const key of written) this.#refresher.announce(key);
    // A change by Sluice is applied when its number is.
    if (this.#following === this.#polling) this.#refresher.announce(keys.change());
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
        // What was written before the last reading is announced by now.
        await this.#following.barrier();
      } while (this.#refresher.isBehind);
      if (change === undefined) return;
      if (this.#isLoading) this.#refresher.announce(keys.change());
      else this.#apply(change);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isDraining = false;
    }
  }

  #apply(change: number): void {
    this.#applied = change;
    this.#events.onApplied(change);
  }

  async #inspect(): Promise<void> {
    if (!this.#isArmed || this.#isLoading) return;
    try {
      const isIntact = await this.#following.isIntact();
      if (!this.#isArmed || this.#isLoading) return;
      if (!isIntact) return await this.#synchronise();
      if (this.#following === this.#tracking && !(await this.#isDelivered())) return;
      this.#confirmedAt = performance.now();
    } catch (error) {
      if (this.#following === this.#tracking && isTrackingRefused(error)) {
        this.#refuseTracking(error);
        await this.#synchronise();
      } else this.#fail(error);
    }
  }

  /** A proxy may take CLIENT TRACKING and pass no announcement on. Then the number of the last change moves unheard. */
  async #isDelivered(): Promise<boolean> {
    const change = await this.#refresher.lastChange();
    await this.#tracking.barrier();
    await this.#drain();
    if (this.#isDraining || this.#isLoading || !this.#isArmed) return true;
    if (this.#applied === undefined || this.#applied >= change) {
      this.#trackingFailures = 0;
      return true;
    }
    if (++this.#trackingFailures < mostFailures) return false;
    this.#refuseTracking("Redis accepted CLIENT TRACKING, but its announcements do not arrive");
    await this.#synchronise();
    return false;
  }

  #hasPolled(error: unknown): void {
    if (this.#following !== this.#polling || !this.#isArmed || this.#isLoading) return;
    if (error === undefined) this.#confirmedAt = performance.now();
    else this.#fail(error);
  }

  /** Keyspace notifications can be switched on and off while the server runs. */
  async #probe(): Promise<void> {
    if (this.#following !== this.#polling) return;
    const wasOn = this.#notifications.isOn;
    await this.#notifications.look();
    this.#polling.share(await this.#scan.learn());
    // While everything is being loaded, the end of the load reports it.
    if (this.#notifications.isOn === wasOn || !this.#isArmed || this.#isLoading) return;
    this.#tellFollowing();
    this.#scan.plan();
  }

  async #readAgain(): Promise<void> {
    if (!this.#isArmed || this.#isLoading || this.following.by !== "polling") return;
    try {
      for (const key of [...readAtFirst, ...readAtLast]) await this.#events.onOther(key);
    } catch (error) {
      this.#fail(error);
    }
  }

  #lose(reason: Error): void {
    this.#isArmed = false;
    this.#applied = undefined;
    this.#polling.disarm();
    this.#scan.stop();
    if (!this.#isClosed) this.#events.onLost(reason);
  }

  /** What failed may have hidden a change: begin again, unless a closed connection will do so anyway. */
  #fail(error: unknown): void {
    this.#lose(error instanceof Error ? error : new Error(String(error)));
    if (this.#isClosed) return;
    this.#retry?.cancel();
    this.#retry = this.#schedule.once(250 + Math.random() * 500, () => void this.#synchronise());
  }

  #every(ms: number, run: () => void): void {
    this.#schedule.every(() => jittered(ms), run);
  }
}

const noop = () => {};
