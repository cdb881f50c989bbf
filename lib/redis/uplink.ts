import type { Connection } from "./connect.ts";
import { RedisClock } from "./redis-clock.ts";
import type { Schedule } from "./schedule.ts";

/** Sends what has gathered since the last turn. What fails is lost: to send it again could count it twice. */
type SendOnce = () => Promise<void>;

interface Source {
  readonly send: SendOnce;
  underWay: Promise<void> | undefined;
}

/** What each reply to a report says. */
interface Heard {
  /** Redis' clock. */
  readonly nowMs: number;
  /** Processes of the fleet. */
  readonly nodes: number;
}

/** A server that does not answer must not hold up the end of a process. */
const lastTurnWithinMs = 500;

/** All that a process tells Redis of itself, in turns. */
export class Uplink {
  readonly #redis: Connection;
  readonly #schedule: Schedule;
  readonly #clock = new RedisClock();
  readonly #sources: Source[] = [];
  #nodes: number | undefined;

  constructor(redis: Connection, schedule: Schedule) {
    this.#redis = redis;
    this.#schedule = schedule;
  }

  /** Redis' clock, as well as this process knows it. */
  get nowMs(): number {
    return this.#clock.now() / 1_000;
  }

  /** The same at a moment of `performance.now()`. */
  msAt(ms: number): number {
    return this.#clock.at(ms) / 1_000;
  }

  /** Processes of the fleet, this one included. Undefined until Redis has said it. */
  get nodes(): number | undefined {
    return this.#nodes;
  }

  /** A source whose last turn has not ended waits for its next one: a slow server gets fewer calls. */
  add(everyMs: number, send: SendOnce): void {
    const source: Source = { send, underWay: undefined };
    this.#sources.push(source);
    this.#schedule.every(everyMs, () => void (source.underWay ?? take(source)));
  }

  /** One report, whose reply tells the time. */
  async tell(report: (redis: Connection) => Promise<Heard>): Promise<void> {
    if (this.#redis.status !== "ready") return;
    const askedAt = performance.now();
    const { nowMs, nodes } = await report(this.#redis);
    this.#clock.heard(nowMs * 1_000, askedAt, performance.now());
    this.#nodes = Math.max(1, nodes);
  }

  /** A last turn of all sources. The owner of the schedule has closed it. */
  async close(): Promise<void> {
    const last = this.#sources.map(async (source) => {
      await source.underWay;
      await take(source);
    });
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, lastTurnWithinMs).unref();
    });
    await Promise.race([Promise.all(last), late]);
    clearTimeout(limit);
  }
}

/** An outage is logged where the connection is watched. */
function take(source: Source): Promise<void> {
  source.underWay = source.send().then(
    () => {
      source.underWay = undefined;
    },
    () => {
      source.underWay = undefined;
    },
  );
  return source.underWay;
}
