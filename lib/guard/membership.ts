import type { Connection } from "../redis/connect.ts";
import { acknowledge, heartbeat, heartbeatEveryMs, leave, type NodeReport } from "../stats/nodes.ts";

/** What only the node itself knows of how it is. */
export type Condition = Omit<NodeReport, "id" | "change">;

/** A node's word to the fleet: that it lives, how it is, and which changes it has applied. */
export class Membership {
  readonly #redis: Connection;
  readonly #id: string;
  readonly #describe: () => Condition;
  readonly #heart: NodeJS.Timeout;
  #applied: number | undefined;

  constructor(redis: Connection, id: string, describe: () => Condition) {
    this.#redis = redis;
    this.#id = id;
    this.#describe = describe;
    this.#heart = setInterval(() => void this.beat(), heartbeatEveryMs).unref();
  }

  /** Told once the node knows up to which change it is current: nobody shall wait for one that cannot answer. */
  async beat(): Promise<void> {
    if (this.#applied === undefined || this.#redis.status !== "ready") return;
    const report = { id: this.#id, change: this.#applied, ...this.#describe() };
    // A missed heartbeat is told by the outage itself.
    await heartbeat(this.#redis, report).catch(() => {});
  }

  async hasApplied(change: number): Promise<void> {
    const before = this.#applied;
    this.#applied = change;
    // A node that has just joined found the earlier changes in force; nobody waited for it.
    if (before === undefined) return this.beat();
    if (change === before) return;
    // Numbers begin again when Redis was emptied.
    const from = change < before ? 0 : before;
    // If Redis goes away meanwhile, the next heartbeat tells the same.
    await acknowledge(this.#redis, this.#id, from, change).catch(() => {});
  }

  async leave(): Promise<void> {
    clearInterval(this.#heart);
    // Redis may be away; the heartbeat's own expiry then says that this node left.
    await leave(this.#redis, this.#id).catch(() => {});
  }
}
