import type { EdgePolicy } from "../policy/edge.ts";
import { Tools } from "../policy/edge.ts";
import type { Connection } from "../redis/connect.ts";
import { FingerprintTally, fingerprintKinds, type Sighted } from "./fingerprint-tally.ts";
import { sendSightings } from "./sightings.ts";

/** Of one kind, in one call. */
const mostTold = 1_000;
/** A node tells of a fingerprint once it alone has seen this share of what a node may see of the limit. */
const share = 1 / 8;
const minuteMs = 60_000;

/** A node's eye for who comes too often: counts fingerprints, and tells the fleet once a second of those that may matter. */
export class Spotter {
  readonly #redis: Connection;
  readonly #tally = new FingerprintTally();
  readonly #timer: NodeJS.Timeout;
  /** Where no edge is connected, nobody would use what it sees. */
  isOn = false;
  #policy: EdgePolicy;
  #tools: Tools;
  /** How far Redis' clock is ahead of this node's. */
  #leadMs = 0;
  #minute = Math.floor(Date.now() / minuteMs);
  #nodes = 1;
  #isSending = false;

  constructor(redis: Connection, policy: EdgePolicy, everyMs = 1_000) {
    this.#redis = redis;
    this.#policy = policy;
    this.#tools = new Tools(policy.tools);
    this.#timer = setInterval(() => void this.flush(), everyMs).unref();
  }

  obey(policy: EdgePolicy): void {
    this.#policy = policy;
    this.#tools = new Tools(policy.tools);
  }

  /** @param isOnlyTool whoever has levels of its own is judged by those, unless it is a tool */
  note(sighted: Sighted, isOnlyTool: boolean): void {
    const isTool = this.#tools.has(sighted.userAgent);
    if (isTool || !isOnlyTool) this.#tally.note(sighted, isTool);
  }

  /** While Redis is away, what it would have told is forgotten with the minute. */
  async flush(): Promise<void> {
    if (this.#isSending) return;
    const minute = this.#minute;
    const sightings = { standard: this.#take("standard"), broad: this.#take("broad") };
    this.#minute = Math.floor((Date.now() + this.#leadMs) / minuteMs);
    if (this.#minute !== minute) this.#tally.clear();
    if (fingerprintKinds.every((kind) => sightings[kind].length === 0)) return;
    if (this.#redis.status !== "ready") return;
    this.#isSending = true;
    try {
      const askedAt = Date.now();
      const { nowMs, nodes } = await sendSightings(this.#redis, { minute, sightings });
      this.#leadMs = nowMs - (askedAt + Date.now()) / 2;
      this.#nodes = Math.max(1, nodes);
    } catch {
      // Counting twice would be worse than not at all. The outage is told by others.
    } finally {
      this.#isSending = false;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #take(kind: (typeof fingerprintKinds)[number]) {
    const limit = kind === "standard" ? this.#policy.standardPerMinute : this.#policy.broadPerMinute;
    return this.#tally.take(kind, Math.max(1, Math.floor((limit * share) / this.#nodes)), mostTold);
  }
}
