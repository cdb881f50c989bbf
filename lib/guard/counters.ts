import { startFlushing } from "../limits/flushing.ts";
import { KnownDenials } from "../limits/known-denials.ts";
import { createMemoryScales, type MemoryScales } from "../limits/memory.ts";
import type { Unweighed } from "../limits/plan.ts";
import { createScales, type RedisScales } from "../limits/scales.ts";
import { type CountersConnection, connectCounters, type RedisSource } from "../redis/connect.ts";
import { Pulse } from "../redis/pulse.ts";

const pulseEveryMs = 1_000;

/** Where a node counts: in Redis, in what it knows without asking, and in a model of its own while Redis is away. */
export class Counters {
  readonly scales: RedisScales;
  readonly denials = new KnownDenials();
  readonly model: MemoryScales = createMemoryScales();
  readonly #connection: CountersConnection;
  readonly #log: (line: string) => void;
  readonly #heart: NodeJS.Timeout;
  readonly #endFlushing: () => Promise<void>;
  #isAway = false;

  constructor(source: RedisSource, log: (line: string) => void) {
    this.#connection = connectCounters(source, "promptly", "sluice-counters");
    this.#log = log;
    this.scales = createScales(this.#connection);
    // A failed ping is followed by the close of its connection, which tells more.
    const pulse = new Pulse(this.#connection, () => this.#connection.ping().then(noop, noop));
    // A cluster finds its silent nodes by itself.
    this.#heart = setInterval(() => this.#connection.isCluster || pulse.beat(), pulseEveryMs).unref();
    this.#endFlushing = startFlushing(this.denials, this.scales);
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
    clearInterval(this.#heart);
    await this.#endFlushing();
    this.#connection.disconnect();
  }
}

const noop = () => {};
