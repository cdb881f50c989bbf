import { type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript, listIn, repliesOf } from "../../redis/script.ts";
import { isKey } from "../policy/fingerprint.ts";
import { type FingerprintKind, fingerprintKinds, type Sighting } from "./fingerprint-tally.ts";

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
