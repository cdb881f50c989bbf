import { createMemoryScales, type MemoryScales } from "../limits/memory.ts";
import type { Unweighed } from "../limits/plan.ts";
import type { CountersState } from "../stats/nodes.ts";
import { type CountersSource, openStore, type Store } from "./store.ts";

/** By then the node, too, has found that the server is away. */
const tellAfterMs = 250;
/** A part of a cluster may be away while others answer: it is back when nobody has missed it for so long. */
const clusterBackAfterMs = 1_000;
/** What nobody has missed for so long is not known to be away: without a request, nobody asks. */
const missedLatelyMs = 5_000;

/** Where a node counts: in its store, in what it knows without asking, and in a model of its own while the store is away. */
export class Counters {
  readonly model: MemoryScales = createMemoryScales();
  readonly store: Store;
  readonly #log: (line: string) => void;
  readonly #isToldAlready: () => boolean;
  #isAway = false;
  #isTold = false;
  #hasMet = false;
  #missedAtMs = 0;
  #why: Unweighed["reason"] = "away";
  #telling: NodeJS.Timeout | undefined;

  /** @param isToldAlready whether the log has it that the server is away */
  constructor(source: CountersSource, log: (line: string) => void, isToldAlready: () => boolean) {
    this.store = openStore(source);
    this.#log = log;
    this.#isToldAlready = isToldAlready;
  }

  get state(): CountersState {
    const { connection } = this.store;
    if (connection && connection.status !== "ready") return "away";
    return this.#isAway && this.#sinceMissedMs < missedLatelyMs ? this.#why : "ok";
  }

  /** One line at the beginning of an outage, unless another tells of the same one. */
  miss({ reason, message }: Unweighed): void {
    this.#missedAtMs = performance.now();
    this.#why = reason;
    this.#hasMet = false;
    if (this.#isAway) return;
    this.#isAway = true;
    this.#telling = setTimeout(() => {
      // Away for a moment only.
      if (this.#hasMet && this.#sinceMissedMs > tellAfterMs / 2) return this.#end();
      if (this.#isToldAlready()) return;
      this.#isTold = true;
      const why = `${reason}: ${message.replace(/\.$/, "")}`;
      this.#log(`sluice: counters cannot be read (${why}); each rule does what its onStoreError says.`);
    }, tellAfterMs).unref();
  }

  /** And one at its end. */
  meet(): void {
    if (!this.#isAway) return;
    this.#hasMet = true;
    const isPartial = this.store.connection?.isCluster && this.#sinceMissedMs < clusterBackAfterMs;
    if (!isPartial) this.#end();
  }

  get #sinceMissedMs(): number {
    return performance.now() - this.#missedAtMs;
  }

  #end(): void {
    this.#isAway = false;
    clearTimeout(this.#telling);
    this.model.clear();
    if (this.#isTold) this.#log("sluice: counters can be read again.");
    this.#isTold = false;
  }

  close(): Promise<void> {
    clearTimeout(this.#telling);
    return this.store.close();
  }
}
