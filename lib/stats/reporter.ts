import type { Connection } from "../redis/connect.ts";
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

/** Tells the fleet's statistics once a second what a node decided. While Redis is away, what it would have told is forgotten. */
export class Reporter {
  readonly #redis: Connection;
  readonly #options: ReporterOptions;
  readonly #tally = new Tally();
  readonly #timer: NodeJS.Timeout;
  /** How far Redis' clock is ahead of this node's. */
  #leadMs = 0;
  #isSending = false;

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
    if (this.#isSending) return;
    const report = this.#tally.take();
    if (!report || this.#redis.status !== "ready") return;
    this.#isSending = true;
    try {
      await this.#send(report);
    } catch {
      // Statistics are not worth a second try: it could count twice. The outage is told by others.
    } finally {
      this.#isSending = false;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
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
