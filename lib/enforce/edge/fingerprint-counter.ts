import type { Uplink } from "../../redis/uplink.ts";
import { type EdgePolicy, Tools } from "../policy/edge-rules.ts";
import { FingerprintTally, fingerprintKinds, type Sighted } from "./fingerprint-tally.ts";
import { sendSightings } from "./sightings.ts";

/** Of one kind, in one call. */
const mostSent = 1_000;
/** A node sends a fingerprint once it alone has counted this share of a node's part of the limit. */
const share = 1 / 8;
const minuteMs = 60_000;

/** Counts the fingerprints of requests, and sends those that may be over a limit to the fleet. */
export class FingerprintCounter {
  readonly #uplink: Uplink;
  readonly #tally = new FingerprintTally();
  #isOn = false;
  #policy: EdgePolicy;
  #tools: Tools;
  #minute: number;

  constructor(uplink: Uplink, policy: EdgePolicy) {
    this.#uplink = uplink;
    this.#policy = policy;
    this.#tools = new Tools(policy.tools);
    this.#minute = this.#minuteNow();
  }

  /** Off where no edge is connected: the counts would not be used. */
  get isOn(): boolean {
    return this.#isOn;
  }

  switch(isOn: boolean): void {
    this.#isOn = isOn;
  }

  setPolicy(policy: EdgePolicy): void {
    this.#policy = policy;
    this.#tools = new Tools(policy.tools);
  }

  /** @param isOnlyTool a customer with levels of its own is limited by those, unless it uses a tool */
  note(sighted: Sighted, isOnlyTool: boolean): void {
    const isTool = this.#tools.has(sighted.userAgent);
    if (isTool || !isOnlyTool) this.#tally.note(sighted, isTool);
  }

  /** While Redis is away, what it would have sent is forgotten with the minute. */
  async send(): Promise<void> {
    const minute = this.#minute;
    const sightings = { standard: this.#take("standard"), broad: this.#take("broad") };
    this.#minute = this.#minuteNow();
    if (this.#minute !== minute) this.#tally.clear();
    if (fingerprintKinds.every((kind) => sightings[kind].length === 0)) return;
    await this.#uplink.tell((redis) => sendSightings(redis, { minute, sightings }));
  }

  #minuteNow(): number {
    return Math.floor(this.#uplink.nowMs / minuteMs);
  }

  #take(kind: (typeof fingerprintKinds)[number]) {
    const limit = kind === "standard" ? this.#policy.standardPerMinute : this.#policy.broadPerMinute;
    return this.#tally.take(
      kind,
      Math.max(1, Math.floor((limit * share) / (this.#uplink.nodes ?? 1))),
      mostSent,
    );
  }
}
