import { announceFound, type ScanMark, type StreamPlace } from "./change-stream.ts";
import type { Connection } from "./connect.ts";
import { keys } from "./keys.ts";
import type { Refresher } from "./refresher.ts";
import { jittered, type Schedule, type Task } from "./schedule.ts";
import { SharedScan } from "./shared-scan.ts";

/** shared: one process walks for all. own: each process walks for itself. spare: for what a shared scan does not find. */
export type ScanWay = "shared" | "own" | "spare";

interface WalkPace {
  /** A walk takes this time, unless Redis would need more than the share of its time for it. */
  readonly wantedMs: number;
  readonly share: number;
}

const paces: Readonly<Record<ScanWay, WalkPace>> = {
  shared: { wantedMs: 6_000, share: 0.005 },
  own: { wantedMs: 10_000, share: 0.008 },
  spare: { wantedMs: 120_000, share: 0.002 },
};

/** Rests vary by a fifth, and the next walk begins after one. */
const longestWalk = 1.2;
/** From the death of the process that walks to the first page of the one that follows, and from there to the last node. */
const takeoverMs = 7_000;
const stepMs = 10_000;
const compareEveryMs = 30 * 60_000;
const rareTimeShare = 0.01;

/** How fast a scan may go that never ends, and what that promises. */
export class ScanPace {
  #pages = 1;
  #costMs = 0;
  #walkers = 1;

  /** @param pages of a whole walk @param costMs what a walk costs Redis @param walkers how many processes may walk */
  learn(pages: number, costMs: number, walkers: number): void {
    this.#pages = Math.max(1, pages);
    this.#costMs = costMs;
    this.#walkers = Math.max(1, walkers);
  }

  walkMs(way: ScanWay): number {
    const { wantedMs, share } = paces[way];
    return Math.max(wantedMs, (this.#costMs * (way === "own" ? this.#walkers : 1)) / share);
  }

  /** Between two pages. */
  restMs(way: ScanWay): number {
    return this.walkMs(way) / this.#pages;
  }

  /** What it costs Redis if each process walks once. */
  get allWalksMs(): number {
    return this.#costMs * this.#walkers;
  }

  /** The part of all rare comparisons that each process makes, so that all together use a bounded share of Redis' time. */
  get rareShare(): number {
    return Math.min(1, (compareEveryMs * rareTimeShare) / Math.max(1, this.allWalksMs));
  }

  /** A write by another program is in force within this time where each process walks for itself. */
  get foundAloneMs(): number {
    // A write just behind the walk is found by the next one, and a removal is in force at the end of that.
    return inSteps(2 * longestWalk * this.walkMs("own"));
  }
}

/** The same where one process walks for all: also when that process dies just before it finds the write. */
export function foundTogetherMs(walkMs: number): number {
  return inSteps(3 * longestWalk * walkMs + takeoverMs);
}

function inSteps(ms: number): number {
  return Math.ceil(ms / stepMs) * stepMs;
}

interface ScanEvents {
  /** True while changes are followed and no load runs. */
  readonly canWalk: () => boolean;
  /** True while only a scan finds what other programs write. */
  readonly isNeeded: () => boolean;
  /** Place in the stream of changes up to which everything was heard. */
  readonly place: () => StreamPlace | undefined;
  /** Keys that the copy held otherwise. */
  readonly onFound: (found: readonly string[]) => void;
  /** A walk ended, or how soon writes by other programs are found has changed. */
  readonly onPaced: () => void;
  readonly onWalked: () => void;
  readonly onFailed: (error: unknown) => void;
}

interface ScanOptions {
  readonly feed: Connection;
  readonly schedule: Schedule;
  readonly refresher: Refresher;
  readonly events: ScanEvents;
  /** A copy that can name all differences may scan for others. */
  readonly canHold: boolean;
  /** Each node of the fleet does the same. */
  readonly isOfFleet: boolean;
}

const restWhileComparingMs = 20;
const takeEveryMs = 1_500;

/**
 * Compares the copy with Redis, page by page, as long as the mirror lives. Where other programs' writes are announced this finds
 * what should be impossible, and is slow. Where they are not, one process of all walks and announces what it finds; where no
 * process does, each walks for itself.
 */
export class Scan {
  readonly #feed: Connection;
  readonly #schedule: Schedule;
  readonly #refresher: Refresher;
  readonly #events: ScanEvents;
  readonly #shared: SharedScan;
  readonly #canHold: boolean;
  readonly #isOfFleet: boolean;
  readonly #pace = new ScanPace();
  /** How the walk goes that is running or planned. */
  #way: ScanWay | "rare" = "rare";
  #next: Task | undefined;
  #comparison: AbortController | undefined;
  #isTaking = false;
  #isClosed = false;

  constructor({ feed, schedule, refresher, events, canHold, isOfFleet }: ScanOptions) {
    this.#isOfFleet = isOfFleet;
    this.#feed = feed;
    this.#schedule = schedule;
    this.#refresher = refresher;
    this.#events = events;
    this.#canHold = canHold;
    this.#shared = new SharedScan(feed);
  }

  start(): void {
    this.#schedule.every(
      () => jittered(takeEveryMs),
      () => void this.#take(),
    );
  }

  /** A write by another program is in force within this time. */
  get foundWithinMs(): number {
    const ownWalkMs = this.#pace.walkMs("shared");
    return this.#shared.isInStep ? this.#shared.foundWithinMs(ownWalkMs) : this.#pace.foundAloneMs;
  }

  /** True when one process walks for all, and this one hears all that it finds. */
  get isInStep(): boolean {
    return this.#shared.isInStep;
  }

  hear(mark: ScanMark): void {
    this.#shared.hear(mark);
    this.#adapt();
  }

  /** Everything was read, beginning at this place of the stream. */
  async hasLoaded(from: StreamPlace | undefined): Promise<void> {
    this.#shared.hasLoaded(from);
    await this.learn();
    if (this.#events.isNeeded() && this.#canHold) await this.#shared.take(this.#pace.walkMs("shared"));
  }

  /** What it costs Redis if each node reads all keys once. */
  async fleetLoadMs(): Promise<number> {
    await this.learn();
    return this.#pace.allWalksMs;
  }

  /** Returns how many nodes there are. */
  async learn(): Promise<number> {
    const nodes = await this.#feed.zcard(keys.nodes()).catch(() => 1);
    this.#pace.learn(this.#refresher.pages, this.#refresher.walkCostMs, nodes);
    return nodes;
  }

  plan(): void {
    this.#next?.cancel();
    this.#way = this.#wanted;
    if (this.#isClosed || this.#comparison) return;
    const ms = this.#way === "rare" ? compareEveryMs : this.#pace.restMs(this.#way);
    this.#next = this.#schedule.once(jittered(ms), () => void this.#compare());
  }

  /** Gives up the walk that is running. */
  stop(): void {
    this.#comparison?.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.stop();
    await this.#shared.release();
  }

  get #wanted(): ScanWay | "rare" {
    if (!this.#events.isNeeded()) return "rare";
    if (this.#shared.isOurs) return "shared";
    if (!this.#shared.isInStep) return "own";
    return this.#canHold ? "rare" : "spare";
  }

  /** To another way of walking, at once. */
  #adapt(): void {
    if (!this.#events.canWalk()) return;
    if (this.#wanted !== this.#way) {
      this.stop();
      this.plan();
    }
    this.#events.onPaced();
  }

  async #take(): Promise<void> {
    if (this.#isTaking || !this.#events.canWalk()) return;
    this.#isTaking = true;
    // What notifications announced, others may not have heard of.
    if (!this.#events.isNeeded()) await this.#shared.release();
    else if (this.#canHold) await this.#shared.take(this.#pace.walkMs("shared"));
    this.#isTaking = false;
    this.#adapt();
  }

  async #compare(): Promise<void> {
    if (!this.#events.canWalk()) return;
    if (this.#way === "rare" && this.#isOfFleet && Math.random() >= this.#pace.rareShare) return this.plan();
    const comparison = new AbortController();
    this.#comparison = comparison;
    const [way, from, isNeeded] = [this.#way, this.#events.place(), this.#events.isNeeded()];
    try {
      const restMs = way === "rare" ? restWhileComparingMs : this.#pace.restMs(way);
      const onFound = async (found: readonly string[]) => {
        this.#events.onFound(found);
        if (isNeeded) await this.#announce(found);
      };
      if (await this.#refresher.compare(comparison.signal, { restMs, onFound }))
        await this.#hasWalked(way, from);
      this.#events.onPaced();
    } catch (error) {
      this.#events.onFailed(error);
    } finally {
      this.#comparison = undefined;
    }
    this.plan();
    this.#events.onWalked();
  }

  async #hasWalked(way: ScanWay | "rare", from: StreamPlace | undefined): Promise<void> {
    if (!this.#events.isNeeded()) return;
    await this.learn();
    this.#shared.hasWalked(from);
    if (way === "shared") await this.#shared.tell(this.#pace.walkMs("shared"));
  }

  /** Without the right to the stream each process finds for itself what it can. */
  async #announce(found: readonly string[]): Promise<void> {
    try {
      await announceFound(this.#feed, found);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "ReplyError") throw error;
      await this.#shared.giveUp();
    }
  }
}
