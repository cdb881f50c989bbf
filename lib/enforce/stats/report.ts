import { readBlock } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { type EvidenceClass, type EvidenceKind, keys, sampleStreams } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import type { AddressUse } from "./address-uses.ts";
import { countedScope, ownedNames } from "./fields.ts";
import type { ClientsReport, EvidenceReport, EvidenceSample, RequestSample, StatsReport } from "./tally.ts";

/** Lengths of the buckets of the series, in seconds. Each counts everything; the short ones are deleted sooner. */
export const resolutions = [1, 10, 60, 3_600] as const;
export type Resolution = (typeof resolutions)[number];

/** Lengths of the buckets of entries' hits, in seconds: for the last hour and for the last day. */
export const hitResolutions = [300, 3_600] as const;
export type HitResolution = (typeof hitResolutions)[number];

/** Lists in the order of lua/report.lua. */
const hitLists = ["blocklist", "safelist"] as const;

interface ReportOfApp {
  readonly app: string;
  readonly node: string;
  readonly report: StatsReport;
  /** Of Redis' clock, as well as the node knows it. */
  readonly nowMs: number;
  /** Seconds of the clock that the report covers: one, unless the report before had to wait. */
  readonly seconds?: number;
}

const bucketsOf = (second: number) =>
  resolutions.map((length) => keys.series(length, Math.floor(second / length)));

const script = defineScript({
  lua: lua.report,
  keys: ({ app, nowMs, seconds: covered = 1 }: ReportOfApp) => {
    const seconds = Math.floor(nowMs / 1_000);
    const minute = Math.floor(seconds / 60);
    const earlier = Array.from({ length: covered - 1 }, (_, i) => seconds - covered + 1 + i);
    return [
      ...bucketsOf(seconds),
      keys.hitters("all", app, minute),
      keys.hitters("denied", app, minute),
      keys.activeApps(minute),
      keys.feed(),
      keys.nodes(),
      keys.totals(),
      ...hitLists.flatMap((list) =>
        hitResolutions.map((length) => keys.entryHits(length, Math.floor(seconds / length), list)),
      ),
      ...earlier.flatMap(bucketsOf),
    ];
  },
  args: ({ app, node, report: { counts, hitters, entries, seen } }) => [
    app,
    JSON.stringify([...counts].flat()),
    JSON.stringify(hitters.flatMap(({ name, count, denied }) => [name, count, denied])),
    JSON.stringify(seen.map((one) => JSON.stringify({ ...one, app, node }))),
    JSON.stringify(hitLists.map((list) => (entries?.[list] ?? []).flat())),
  ],
  reply: ([nowMs, nodes]: [number, number]) => ({ nowMs, nodes }),
});

/** Adds a node's counts to the fleet's, in one call. */
export function sendReport(
  redis: Connection,
  report: ReportOfApp,
): Promise<{ nowMs: number; nodes: number }> {
  return script.run(redis, report);
}

/** Without it, customers of addresses may be unknown. */
export const ownersFormat = 1;

interface OwnersReport {
  readonly uses: readonly AddressUse[];
}

const ownersScript = defineScript({
  lua: lua.reportOwners,
  keys: (_: OwnersReport) => [
    keys.ownersSeen(),
    keys.ownersByAddress(),
    keys.ownersByCustomer(),
    keys.ownersRequests(),
    keys.ownersSince(),
    keys.ownersLooked(),
    keys.nodes(),
  ],
  args: ({ uses }) => [JSON.stringify(uses.flatMap(writeUse)), keys.nodePrefix()],
  reply: ([nowMs, nodes]: [number, number]) => ({ nowMs, nodes }),
});

function writeUse({ address, customer, requests }: AddressUse): (string | number)[] {
  const block = readBlock(address);
  return block ? [ownedNames(block)[0], customer, requests] : [];
}

/** Adds the customers that a node saw at addresses, in a call of its own: an account may refuse it, and statistics go on. */
export function sendOwners(
  redis: Connection,
  uses: readonly AddressUse[],
): Promise<{ nowMs: number; nodes: number }> {
  return ownersScript.run(redis, { uses });
}

/** Seconds that clients of a scope are kept: by ten seconds for the last hour, by the minute for the last day. */
const scopeLives = { 10: 4_500, 60: 90_000 } as const;
/** As long as the last hour is read. */
const shadowLife = 4_500;

/** Clients of one sorted set, which has a third more at times. */
export const scopeSetSize = 300;

interface Scores {
  readonly key: string;
  readonly life: number;
  readonly scores: readonly (readonly [member: string, score: number])[];
}

const addScores = defineScript({
  lua: lua.addScores,
  keys: (sets: readonly Scores[]) => sets.map(({ key }) => key),
  args: (sets) => [scopeSetSize, ...sets.map(({ life, scores }) => JSON.stringify([life, ...scores.flat()]))],
  reply: () => undefined,
});

/** Adds what a node's rules counted of each client to the fleet's counts, in one call. */
export async function sendClients(
  redis: Connection,
  { counted, scopes, shadowed }: ClientsReport,
  nowMs: number,
): Promise<void> {
  const minute = Math.floor(nowMs / 60_000);
  const sets: Scores[] = scopes.flatMap(({ key, seconds, bucket, clients }) => [
    { key: keys.scopeHitters(60, Math.floor(bucket / 6), key), life: scopeLives[60], scores: clients },
    ...(seconds === 10
      ? [{ key: keys.scopeHitters(10, bucket, key), life: scopeLives[10], scores: clients }]
      : []),
  ]);
  for (const [rule, clients] of shadowed)
    sets.push({ key: keys.shadowHitters(minute, rule), life: shadowLife, scores: clients });
  // A minute in which no client came is counted, too.
  if (counted.length > 0)
    sets.push({
      ...{ key: keys.countedScopes(minute), life: scopeLives[60] },
      scores: counted.flatMap(({ key, seconds }) =>
        (seconds === 10 ? ([10, 60] as const) : ([60] as const)).map(
          (each) => [countedScope(key, each), 1] as const,
        ),
      ),
    });
  if (sets.length > 0) await addScores.run(redis, sets);
}

interface EvidenceOfApp extends Omit<ReportOfApp, "report"> {
  readonly seen: readonly RequestSample[];
  readonly evidence: EvidenceReport;
}

/** In the order of lua/evidence.lua. */
export const evidenceIndexes: readonly (readonly [EvidenceClass, EvidenceKind])[] = [
  ["denied", "ip"],
  ["denied", "customer"],
  ["passed", "ip"],
  ["passed", "customer"],
];

/** Values of a sample in Redis, in their order. */
export const sampleFields = [
  ...(["at", "outcome", "rule", "app", "ip", "customerId", "method", "host", "path", "userAgent"] as const),
  ...(["node", "standsFor", "session"] as const),
] as const;

/** The denial log has a set for each hour of Redis' clock. */
export const denialLogHourMs = 3_600_000;
/** Denials of one hour in the log. lua/evidence.lua keeps as many, each with the same chance. */
export const mostDenialsOfHour = 1_000;

/** The lower, the likelier it stays in the log: of exponential numbers, each divided by the denials that it represents, the lowest are a fair sample. */
function logScore({ outcome, standsFor }: RequestSample): number | undefined {
  const isDenied = outcome === "blocked" || outcome === "throttled";
  return isDenied ? -Math.log(1 - Math.random()) / standsFor : undefined;
}

const streamNames: readonly string[] = sampleStreams;
const isPassed = ({ outcome }: RequestSample) => outcome === "pass" || outcome === "safelisted";

const evidenceScript = defineScript({
  lua: lua.evidence,
  keys: ({ nowMs }: EvidenceOfApp) => [
    ...sampleStreams.map((of) => keys.samples(of)),
    ...evidenceIndexes.map(([of, kind]) => keys.evidenceIndex(of, kind)),
    keys.denialLog(Math.floor(nowMs / denialLogHourMs)),
  ],
  args: ({ app, node, nowMs, seen, evidence }) => {
    const textOf = (one: RequestSample) => {
      const fields = { ...one, at: Math.floor(nowMs), app, node };
      return JSON.stringify(sampleFields.map((name) => fields[name]));
    };
    const entries = [...seen, ...evidence.passed].map((one) => [
      1 + streamNames.indexOf(isPassed(one) ? "passed" : one.outcome),
      textOf(one),
      ...[logScore(one) ?? []].flat(),
    ]);
    const clients = evidenceIndexes.flatMap(([of, kind], i) =>
      byClient(evidence[of], kind).map(([client, { requests, samples }]) => [
        ...[i + 1, client, requests],
        samples.map(textOf),
      ]),
    );
    return [Math.floor(nowMs), sampleStreams.length, JSON.stringify(entries), JSON.stringify(clients)];
  },
  reply: () => undefined,
});

/**
 * The samples of each client, and how many requests it sent. A full list takes only the first of them: here that is the last one, which any
 * request had the same chance to become. The first request of a second is often of the same kind.
 */
function byClient(samples: readonly EvidenceSample[], kind: EvidenceKind) {
  const found = new Map<string, { requests: number; last: number; samples: EvidenceSample[] }>();
  for (const sample of samples) {
    const client = kind === "ip" ? sample.network : sample.customerId;
    if (!client) continue;
    const { nthOfIp, nthOfCustomer, allOfIp = 0, allOfCustomer = 0 } = sample;
    const [nth, all] = kind === "ip" ? [nthOfIp, allOfIp] : [nthOfCustomer, allOfCustomer];
    const of = found.get(client) ?? { requests: 1, last: 0, samples: [] };
    found.set(client, of);
    if (nth > of.last) of.samples.unshift(sample);
    else of.samples.push(sample);
    of.last = Math.max(of.last, nth);
    of.requests = Math.max(of.requests, nth, all);
  }
  return [...found];
}

/** Adds what a node has kept of requests to the feed and to its clients' evidence, in one call. */
export async function sendEvidence(redis: Connection, evidence: EvidenceOfApp): Promise<void> {
  const { seen, evidence: of } = evidence;
  if (seen.length + of.denied.length + of.passed.length > 0) await evidenceScript.run(redis, evidence);
}
