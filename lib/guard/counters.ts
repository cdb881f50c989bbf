import { KnownDenials } from "../limits/known-denials.ts";
import { createMemoryScales, type MemoryScales } from "../limits/memory.ts";
import type { Unweighed } from "../limits/plan.ts";
import { createScales, type RedisScales } from "../limits/scales.ts";
import { type CountersConnection, connectCounters, type RedisSource } from "../redis/connect.ts";
import { Pulse } from "../redis/pulse.ts";

const flushEveryMs = 1_000;
const pulseEveryMs = 1_000;

/** Where a node counts: in Redis, in what it knows without asking, and in a model of its own while Redis is away. */
export class Counters {
  readonly scales: RedisScales;
  readonly denials = new KnownDenials();
  readonly model: MemoryScales = createMemoryScales();
  readonly #connection: CountersConnection;
  readonly #log: (line: string) => void;
  readonly #timers: NodeJS.Timeout[];
  #isAway = false;

  constructor(source: RedisSource, log: (line: string) => void) {
    this.#connection = connectCounters(source, "promptly", "sluice-counters");
    this.#log = log;
    this.scales = createScales(this.#connection);
    // A failed ping is followed by the close of its connection, which tells more.
    const pulse = new Pulse(this.#connection, () => this.#connection.ping().then(noop, noop));
    this.#timers = [
      setInterval(() => void this.flush(), flushEveryMs),
      // A cluster finds its silent nodes by itself.
      setInterval(() => this.#connection.isCluster || pulse.beat(), pulseEveryMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Hits that were denied without asking weigh on their clients all the same. */
  async flush(): Promise<void> {
    const charges = this.denials.drain();
    if (charges.length > 0) await this.scales.charge(charges);
  }

  /** One line at the beginning of an outage. */
  miss({ reason, message }: Unweighed): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#log(
      `sluice: counters cannot be read (${reason}: ${message}); each rule does what its onStoreError says.`,
    );
  }

  /** And one at its end. */
  meet(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.model.clear();
    this.#log("sluice: counters can be read again.");
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.flush();
    this.#connection.disconnect();
  }
}

const noop = () => {};
