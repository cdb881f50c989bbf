import { type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript, listIn, repliesOf } from "../../redis/script.ts";
import type { Uplink } from "../../redis/uplink.ts";
import { type EdgePolicy, Tools } from "../policy/edge-rules.ts";
import { isKey } from "../policy/fingerprint.ts";
import {
  type FingerprintKind,
  FingerprintTally,
  fingerprintKinds,
  type Sighted,
  type Sighting,
} from "./fingerprint-tally.ts";

/** What is known of a fingerprint, to be shown to people. Only a standard one is of one place. */
export interface Fingerprint {
  readonly key: string;
  readonly kind: FingerprintKind;
  readonly ip: Ip;
  readonly userAgent: string;
  readonly host?: string;
  readonly path?: string;
  readonly method?: string;
}

type Sightings = Readonly<Record<FingerprintKind, readonly Sighting[]>>;

interface SightingsOfMinute {
  readonly minute: number;
  readonly sightings: Sightings;
}

const script = defineScript({
  lua: lua.sightings,
  keys: ({ minute }: SightingsOfMinute) => [
    ...fingerprintKinds.map((kind) => keys.sightings(kind, minute)),
    keys.nodes(),
  ],
  args: ({ sightings }) =>
    fingerprintKinds.map((kind) =>
      JSON.stringify(sightings[kind].flatMap((one) => [writeMember(kind, one), one.more])),
    ),
  reply: ([nowMs, nodes]: [number, number]) => ({ nowMs, nodes }),
});

/** Adds what a node has counted to what the fleet has counted in that minute. */
export function sendSightings(
  redis: Connection,
  one: SightingsOfMinute,
): Promise<{ nowMs: number; nodes: number }> {
  return script.run(redis, one);
}

export interface Over {
  readonly fingerprint: Fingerprint;
  readonly minute: number;
  readonly count: number;
}

interface OverLimitQuery {
  readonly minutes: readonly number[];
  /** Fingerprints above it are returned. */
  readonly limits: Readonly<Record<FingerprintKind, number>>;
  readonly most: number;
}

/** Who came too often, the worst first, and how many there are of them in the minute that has most. */
export async function readOver(
  redis: Connection,
  { minutes, limits, most }: OverLimitQuery,
): Promise<{ over: Over[]; total: number }> {
  const asked = minutes.flatMap((minute) => fingerprintKinds.map((kind) => ({ kind, minute })));
  const pipeline = redis.pipeline();
  for (const { kind, minute } of asked) {
    const key = keys.sightings(kind, minute);
    pipeline.zcount(key, `(${limits[kind]}`, "+inf");
    pipeline.zrange(key, "+inf", `(${limits[kind]}`, "BYSCORE", "REV", "LIMIT", 0, most, "WITHSCORES");
  }
  const replies = await repliesOf(pipeline);
  const over: Over[] = [];
  const totals = new Map<number, number>();
  for (const [i, { kind, minute }] of asked.entries()) {
    totals.set(minute, (totals.get(minute) ?? 0) + Number(replies[2 * i]));
    over.push(...readScores(kind, minute, listIn(replies[2 * i + 1])));
  }
  return { over, total: Math.max(0, ...totals.values()) };
}

function* readScores(kind: FingerprintKind, minute: number, flat: readonly unknown[]): Generator<Over> {
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const fingerprint = readMember(kind, String(flat[i]));
    if (fingerprint) yield { fingerprint, minute, count: Number(flat[i + 1]) };
  }
}

function writeMember(kind: FingerprintKind, { key, ip, userAgent, host, path, method }: Sighting): string {
  return JSON.stringify(kind === "broad" ? [key, ip, userAgent] : [key, ip, userAgent, host, path, method]);
}

/** Nothing for what Sluice did not write. */
function readMember(kind: FingerprintKind, text: string): Fingerprint | undefined {
  try {
    const [key, ip, userAgent, host, path, method] = JSON.parse(text);
    if (!isKey(key) || !isAddress(ip)) return undefined;
    const whose = { key, kind, ip, userAgent };
    return kind === "broad" ? whose : { ...whose, host, path, method };
  } catch {
    return undefined;
  }
}

const isAddress = (text: string): text is Ip => isCanonical(text) && !text.includes("/");

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
