import { isAtOrAfter, markScan, type ScanMark, type StreamPlace } from "./change-stream.ts";
import type { Connection } from "./connect.ts";
import { foundTogetherMs } from "./key-scan.ts";
import { Lease } from "./lease.ts";

/** Shorter than most leases, because a write waits for it when the process that scans dies. */
const leaseMs = 5_000;
/** A stream that takes no entry may be repaired. */
const unfitMs = 60_000;
/** The first walk that is heard of may have begun before the load. The second one found all that the load found. */
const walksToFollow = 2;

/**
 * The scan that one process does for all that poll. Its holder announces each difference between Redis and its own copy. That
 * helps a process whose copy has all that the holder's copy had when its scan began: one that loaded or walked since.
 */
export class SharedScan {
  readonly #redis: Connection;
  readonly #lease: Lease;
  #mark: ScanMark | undefined;
  /** When the last mark was written, on this process' monotonic clock. */
  #markedAt = Number.NEGATIVE_INFINITY;
  /** Whole walks of the present holder since the last load. */
  #walks = 0;
  /** Where the load or walk began that made the copy whole. */
  #wholeSince: StreamPlace | undefined;
  /** While this process holds the scan: since when it announces all differences. */
  #since: StreamPlace | undefined;
  #loads = 0;
  #unfitUntil = Number.NEGATIVE_INFINITY;

  constructor(redis: Connection) {
    this.#redis = redis;
    this.#lease = new Lease(redis, "scan", leaseMs);
  }

  get isOurs(): boolean {
    return this.#since !== undefined;
  }

  /** True when all that other programs write is announced to this process. */
  get isInStep(): boolean {
    if (this.isOurs) return true;
    const mark = this.#mark;
    if (!mark || this.#wholeSince === undefined || !isAtOrAfter(this.#wholeSince, mark.since)) return false;
    return performance.now() - this.#markedAt < foundTogetherMs(mark.walkMs);
  }

  /** A write by another program is announced within this time, while this process is in step. */
  foundWithinMs(ownWalkMs: number): number {
    return foundTogetherMs(this.isOurs ? ownWalkMs : (this.#mark?.walkMs ?? ownWalkMs));
  }

  hear(mark: ScanMark): void {
    if (mark.since !== this.#mark?.since) this.#walks = 0;
    if (mark.kind === "walked") this.#walks++;
    this.#mark = mark;
    this.#markedAt = performance.now() - mark.ageMs;
  }

  /** Everything was read. What a load found is not announced, so this process cannot go on with a scan that it held. */
  hasLoaded(from: StreamPlace | undefined): void {
    this.#loads++;
    this.#wholeSince = from;
    this.forget();
  }

  /** A walk that announced what it found has made the copy whole. */
  hasWalked(from: StreamPlace | undefined): void {
    if (from !== undefined) this.#wholeSince = from;
  }

  /** The copy may hold what others have not heard of. */
  forget(): void {
    this.#since = undefined;
    this.#walks = 0;
  }

  /** Takes the scan if it is free, or keeps it. */
  async take(walkMs: number): Promise<void> {
    if (this.#lease.isRefused || performance.now() < this.#unfitUntil) return;
    const loads = this.#loads;
    const isOurs = await this.#lease.isOurs();
    if (loads !== this.#loads) return;
    if (!isOurs) this.#since = undefined;
    else if (this.#since === undefined) await this.#begin(walkMs, loads);
  }

  async #begin(walkMs: number, loads: number): Promise<void> {
    if (this.#mark && this.isInStep && this.#walks >= walksToFollow) {
      this.#since = this.#mark.since;
      return;
    }
    const place = await this.#write({ kind: "begun", since: "", walkMs });
    if (place === undefined || loads !== this.#loads) return;
    this.#since = place;
    this.#wholeSince = place;
  }

  /** A walk of the holder is done. */
  async tell(walkMs: number): Promise<void> {
    if (this.#since !== undefined) await this.#write({ kind: "walked", since: this.#since, walkMs });
  }

  async #write(mark: Omit<ScanMark, "ageMs">): Promise<StreamPlace | undefined> {
    try {
      return await markScan(this.#redis, { ...mark, walkMs: Math.round(mark.walkMs) });
    } catch {
      await this.giveUp();
      return undefined;
    }
  }

  /** The stream takes no entry of this process. Another account may fare better. */
  async giveUp(): Promise<void> {
    this.#unfitUntil = performance.now() + unfitMs;
    await this.release();
  }

  async release(): Promise<void> {
    const wasOurs = this.isOurs;
    this.forget();
    if (wasOurs) await this.#lease.release();
  }
}
