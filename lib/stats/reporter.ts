import type { Connection } from "../redis/connect.ts";
import { Pace } from "./pace.ts";
import { sendReport } from "./report.ts";
import { type Decided, type Glimpse, type Report, Tally } from "./tally.ts";

export interface ReporterOptions {
  readonly app: string;
  readonly node: string;
  readonly everyMs?: number;
}

/** All nodes together put no more than this on Redis in a second. */
const fleetHitters = 4_000;
const fleetSeen = 200;
const limits = { hitters: [50, 1_000], seen: [2, 20] } as const;

const nothing: Report = { counts: new Map(), hitters: [], seen: [] };

/**
 * Tells the fleet's statistics once a second what a node decided, also when that is nothing: who reads them has to tell a
 * quiet second from one that nobody knows of. While Redis is away, what it would have told is forgotten.
 */
export class Reporter {
  readonly pace = new Pace();
  readonly #redis: Connection;
  readonly #options: ReporterOptions;
  readonly #tally = new Tally();
  readonly #timer: NodeJS.Timeout;
  /** How far Redis' clock is ahead of this node's. */
  #leadMs = 0;
  #isSending = false;
  #minute = 0;

  constructor(redis: Connection, options: ReporterOptions) {
    this.#redis = redis;
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.everyMs ?? 1_000).unref();
  }

  note(decided: Decided, look: () => Glimpse): void {
    this.#tally.note(decided, look);
  }

  /** Also counts on while a report is on its way; a slow Redis makes reports rarer, not more. */
  async flush(): Promise<void> {
    if (!this.#isSending) await this.#tell(this.#take() ?? nothing);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const last = this.#isSending ? undefined : this.#take();
    if (last) await this.#tell(last);
  }

  #take(): Report | undefined {
    const report = this.#tally.take();
    const minute = Math.floor((Date.now() + this.#leadMs) / 60_000);
    if (minute !== this.#minute) this.#tally.endMinute();
    this.#minute = minute;
    if (report) this.pace.add(report);
    return report;
  }

  async #tell(report: Report): Promise<void> {
    if (this.#redis.status !== "ready") return;
    this.#isSending = true;
    try {
      await this.#send(report);
    } catch {
      // Statistics are not worth a second try: it could count twice. The outage is told by others.
    } finally {
      this.#isSending = false;
    }
  }

  async #send(report: Report): Promise<void> {
    const { app, node } = this.#options;
    const askedAt = Date.now();
    const told = { app, node, report, nowMs: askedAt + this.#leadMs };
    const { nowMs, nodes } = await sendReport(this.#redis, told);
    // The first answers are slow: half of the way there and back is as good a guess as any.
    this.#leadMs = nowMs - (askedAt + Date.now()) / 2;
    this.#tally.mostHitters = within(limits.hitters, fleetHitters / Math.max(nodes, 1));
    this.#tally.mostSeen = within(limits.seen, fleetSeen / Math.max(nodes, 1));
  }
}

const within = ([least, most]: readonly [number, number], wished: number): number =>
  Math.min(most, Math.max(least, Math.round(wished)));
