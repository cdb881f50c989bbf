import { readBlock } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import type { FollowingWay } from "../../redis/following.ts";
import { type EvidenceClass, type EvidenceKind, keys, sampleStreams } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import type { Uplink } from "../../redis/uplink.ts";
import type { Scope, ScopeCounter } from "../policy/match.ts";
import { countedScope, ownedNames } from "./fields.ts";
import { type AddressUse, AddressUses } from "./heavy-hitters.ts";
import {
  type ClientsReport,
  type CountedDecision,
  type EvidenceReport,
  type EvidenceSample,
  type LimitDecision,
  Pace,
  type RequestSample,
  type RequestText,
  type StatsReport,
  StatsTally,
} from "./tally.ts";

/**
 * State of a node's counters. ok: no request lately that they did not answer. late: an answer is overdue, and only a probe now
 * and then is sent. away: there is no connection. refused: they answer with an error, as a full server does.
 */
export const countersStates = ["ok", "late", "away", "refused"] as const;
export type CountersState = (typeof countersStates)[number];

/** A process that enforces, as it last described itself. */
export interface NodeReport {
  readonly id: string;
  readonly app: string;
  readonly version: string;
  /** The version of Next that runs the process. Undefined for other processes, and for older nodes. */
  readonly next?: string;
  /** The version of Node that runs the process. Undefined for older nodes. */
  readonly node?: string;
  readonly host: string;
  readonly startedAt: number;
  /** Number of the last change it has applied. */
  readonly change: number;
  /** Time in ms since it was last certain that it had missed no change. */
  readonly replicaAgeMs: number;
  readonly safelisted: number;
  readonly blocklisted: number;
  /** Requests on which nothing could be enforced, because the app did not name the client. */
  readonly unknownClients: number;
  /** Its recent decisions a second, and the denials among them; undefined for a node whose version does not report them. */
  readonly requestsPerSecond?: number;
  readonly deniedPerSecond?: number;
  readonly counters?: CountersState;
  /** How it learns of changes; undefined for a node whose version does not report it. */
  readonly following?: FollowingWay;
  /** A write by a program other than Sluice is in force there within this time. */
  readonly othersWithinMs?: number;
  /** Why it does not use client tracking. */
  readonly notTracking?: string;
  /** What its app's session gives customers and the policy cannot use. Undefined without any. */
  readonly ignoredLimits?: string;
  /** The newest format of policies that it understands. */
  readonly policyFormat?: number;
  /** The format of feeds that it enforces. 0 where Redis refuses to read their contents; undefined for older nodes, which ignore them. */
  readonly feedsFormat?: number;
  /** 1: it reports uses of overrides of groups and patterns. 0 where Redis refuses that; undefined for older nodes, which ignore these overrides. */
  readonly overridesFormat?: number;
  /** The format in which it reports customers of addresses. 0 where Redis refuses such reports; undefined for older nodes. */
  readonly ownersFormat?: number;
}

export const heartbeatEveryMs = 2_000;
/** Three heartbeats may fail before a node counts as gone. */
export const presumedDeadAfterMs = 8_000;
/** A node that was away longer than this many changes acknowledges only the last ones. */
const acknowledgedAtOnce = 64;

const beat = defineScript({
  lua: lua.heartbeat,
  keys: (report: NodeReport) => [keys.nodes(), keys.node(report.id)],
  args: (report) => [report.id, presumedDeadAfterMs, ...Object.entries(report).flat()],
  reply: (now: number) => now,
});

const applied = defineScript({
  lua: lua.acknowledge,
  keys: ({ id, from, to }: { id: string; from: number; to: number }) => [
    keys.node(id),
    ...Array.from({ length: to - from }, (_, i) => keys.changeProgress(from + 1 + i)),
  ],
  args: ({ id, to }) => [id, to],
  reply: (now: number) => now,
});

export async function heartbeat(redis: Connection, report: NodeReport): Promise<void> {
  await beat.run(redis, report);
}

/** Reports at once that every change after `from` and up to `to` is in force on this node. */
export async function acknowledge(redis: Connection, id: string, from: number, to: number): Promise<void> {
  await applied.run(redis, { id, from: Math.max(from, to - acknowledgedAtOnce), to });
}

export async function leave(redis: Connection, id: string): Promise<void> {
  await redis.multi().zrem(keys.nodes(), id).del(keys.node(id)).exec();
}

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
  const minute = Math.floor(nowMs / minuteMs);
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

/** A limit that code names, as it is reported to the fleet. */
export interface LimitReport {
  /** `<app>/<name>` */
  readonly field: string;
  /** Its text at a moment of Redis' clock. */
  readonly write: (nowMs: number) => string;
  /** A limit of which no node has said anything for so long is gone. */
  readonly lifeMs: number;
}

/** What only the node itself knows of how it is. */
export type Condition = Omit<NodeReport, "id" | "change">;

/** Reports a node to the fleet: that it runs, its state, and which changes it has applied. */
export class Membership {
  readonly #redis: Connection;
  readonly #id: string;
  readonly #describe: () => Condition;
  #applied: number | undefined;

  constructor(redis: Connection, id: string, describe: () => Condition) {
    this.#redis = redis;
    this.#id = id;
    this.#describe = describe;
  }

  /** Sent once the node knows up to which change it is current: no writer waits for one that cannot answer. */
  async beat(): Promise<void> {
    if (this.#applied === undefined || this.#redis.status !== "ready") return;
    const report = { id: this.#id, change: this.#applied, ...this.#describe() };
    // A missed heartbeat shows as the outage itself.
    await heartbeat(this.#redis, report).catch(() => {});
  }

  async hasApplied(change: number): Promise<void> {
    const before = this.#applied;
    this.#applied = change;
    // A node that has just joined found the earlier changes in force; no writer waited for it.
    if (before === undefined) return this.beat();
    if (change === before) return;
    // Numbers begin again when Redis was emptied.
    const from = change < before ? 0 : before;
    // If Redis goes away before this, the next heartbeat says the same.
    await acknowledge(this.#redis, this.#id, from, change).catch(() => {});
  }

  /** Leaves the fleet. Redis may be away; the heartbeat's own expiry then says that this node left. */
  async close(): Promise<void> {
    await leave(this.#redis, this.#id).catch(() => {});
  }
}

/** Most that all nodes together send to Redis in a second. */
const fleetHitters = 4_000;
const fleetSeen = 200;
const fleetEvidence = 300;
const fleetUses = 500;
const limits = { hitters: [50, 1_000], seen: [2, 20], evidence: [2, 50], uses: [10, 200] } as const;
const minuteMs = 60_000;
/** What Redis answers about keys, and about commands inside of a script. */
const refusal = /NOPERM|executing the script can't/;
/** An account that may write no evidence is asked again after this time. */
const refusedForMs = 600_000;

/** Longer than a connection waits for a silent server. */
const mostCovered = 30;

const emptyReport: StatsReport = { counts: new Map(), hitters: [], seen: [] };

/** When checks last used overrides of groups and patterns: each is reported at once, then at most once a minute. */
class SharedOverrideUses {
  /** By group or pattern: the last use that is not reported, in ms. */
  #used = new Map<string, number>();
  #reportedAt = new Map<string, number>();
  #isRefused = false;

  /** Whether Redis refused the last report. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  note(name: string, nowMs: number): void {
    this.#used.set(name, nowMs);
  }

  /** @param atRedis Redis' clock at a moment of `nowMs` */
  async send(redis: Connection, nowMs: number, atRedis: (ms: number) => number): Promise<void> {
    if (this.#used.size === 0 || redis.status !== "ready") return;
    for (const [name, atMs] of this.#reportedAt) if (nowMs - atMs >= minuteMs) this.#reportedAt.delete(name);
    const due = [...this.#used].filter(([name]) => !this.#reportedAt.has(name));
    if (due.length === 0) return;
    for (const [name] of due) {
      this.#used.delete(name);
      this.#reportedAt.set(name, nowMs);
    }
    const fields = due.map(([name, atMs]) => [name, Math.floor(atRedis(atMs))] as const);
    try {
      await redis.hset(keys.sharedOverrideUses(), Object.fromEntries(fields));
      this.#isRefused = false;
    } catch (error) {
      // An account of an earlier version may not write it.
      this.#isRefused = error instanceof Error && error.name === "ReplyError";
    }
  }
}

/**
 * A node's decisions, for the fleet's statistics. A second without decisions is sent too, so that a reader can distinguish it
 * from an unknown one. Reports are dropped while Redis is away.
 */
export class Reporter {
  readonly pace = new Pace();
  readonly #uplink: Uplink;
  readonly #of: { readonly app: string; readonly node: string };
  readonly #countsEntries: boolean;
  readonly #tally = new StatsTally();
  readonly #uses = new AddressUses();
  readonly #overrideUses = new SharedOverrideUses();
  readonly #limits = new Map<string, LimitReport>();
  #limitsSentAt = Number.NEGATIVE_INFINITY;
  #reportsOwners = false;
  #minute = 0;
  #taken: { readonly second: number; readonly atMs: number } | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** The last minute and the scopes of which it was said that they are counted. */
  #counted = "";

  /** @param countsEntries false in the console: its own requests are its polling, and say nothing of an entry */
  constructor(uplink: Uplink, of: { readonly app: string; readonly node: string }, countsEntries = true) {
    this.#uplink = uplink;
    this.#of = of;
    this.#countsEntries = countsEntries;
  }

  note<Decision extends CountedDecision>(
    decision: Decision,
    describe: (decision: Decision) => RequestText,
  ): void {
    this.#tally.note(decision, describe);
    const { network, customerId } = decision;
    if (network !== undefined && customerId !== undefined) this.#uses.note(network, customerId);
  }

  noteLimit(decision: LimitDecision): void {
    this.#tally.noteLimit(decision);
  }

  /** Code of this process has a limit. */
  reportLimit(limit: LimitReport): void {
    this.#limits.set(limit.field, limit);
    this.#limitsSentAt = Number.NEGATIVE_INFINITY;
  }

  /** The limits of code, once a minute and when there is a new one. */
  async sendLimits(redis: Connection): Promise<void> {
    const nowMs = performance.now();
    const limits = [...this.#limits.values()];
    const [first] = limits;
    if (!first || nowMs - this.#limitsSentAt < minuteMs || redis.status !== "ready") return;
    this.#limitsSentAt = nowMs;
    const texts = limits.map(({ field, write }) => [field, write(this.#uplink.nowMs)] as const);
    const key = keys.codeLimits();
    await redis.multi().hset(key, Object.fromEntries(texts)).pexpire(key, first.lifeMs).exec();
  }

  /** A check used the override of a group or pattern. */
  noteSharedOverride(name: string, nowMs: number): void {
    this.#overrideUses.note(name, nowMs);
  }

  sendOverrideUses(redis: Connection): Promise<void> {
    return this.#overrideUses.send(redis, performance.now(), (ms) => this.redisMs(ms));
  }

  /** Whether the fleet learns which overrides of groups and patterns this node used. */
  get reportsOverrideUses(): boolean {
    return !this.#overrideUses.isRefused;
  }

  /** 0 until Redis has taken a report of customers of addresses, and after one has failed. */
  get ownersFormat(): number {
    return this.#reportsOwners ? ownersFormat : 0;
  }

  /** So much passed above the limit of a rule. */
  noteOver(rule: string, amount: number): void {
    this.#tally.noteOver(rule, amount);
  }

  /** Redis' clock at a moment of `performance.now()`. */
  redisMs(atMs: number): number {
    return this.#uplink.msAt(atMs);
  }

  countScopes(scopes: readonly Scope[]): ReadonlyMap<string, ScopeCounter> {
    return this.#tally.countScopes(scopes, this.#uplink.nowMs);
  }

  /** A rule in shadow would have denied a request of this client. */
  noteShadowed(rule: string, client: string, customerId: string | undefined): void {
    this.#tally.noteShadowed(rule, client, customerId);
  }

  /** An exempt rule matched a request. */
  noteExempt(rule: string): void {
    this.#tally.noteExempt(rule);
  }

  async send(): Promise<void> {
    const [evidence, report] = [this.#tally.takeEvidence(), this.#take()];
    const { nowMs } = this.#uplink;
    const seconds = this.#covers(nowMs);
    const keepsEvidence = performance.now() - this.#refusedAt > refusedForMs;
    const { seen } = report;
    let sending: Promise<void> | undefined;
    await this.#uplink.tell((redis) => {
      const inFeed = keepsEvidence ? [] : [...seen, ...evidence.passed];
      const sent = sendReport(redis, { ...this.#of, report: { ...report, seen: inFeed }, nowMs, seconds });
      // Not awaited here: the time of the reply must be that of the report.
      if (keepsEvidence)
        sending = sendEvidence(redis, { ...this.#of, seen, evidence, nowMs }).catch(this.#onRefusal);
      return sent;
    });
    await sending;
    const { nodes = 1 } = this.#uplink;
    this.#tally.keepAtMost({
      hitters: within(limits.hitters, fleetHitters / nodes),
      seen: within(limits.seen, fleetSeen / nodes),
      evidence: within(limits.evidence, fleetEvidence / nodes),
    });
    this.#uses.keepAtMost(within(limits.uses, fleetUses / nodes));
  }

  /** The customers of addresses. What was not sent is sent again with the next request of each. */
  async sendOwners(): Promise<void> {
    const uses = this.#uses.take();
    if (!uses) return;
    let isSent = false;
    try {
      await this.#uplink.tell(async (redis) => {
        const reply = await sendOwners(redis, uses);
        isSent = true;
        return reply;
      });
    } finally {
      this.#reportsOwners = isSent;
      if (!isSent) this.#uses.clear();
    }
  }

  /** An account of an earlier version may not write evidence: the one stream that it may write gets the samples. */
  readonly #onRefusal = (error: unknown): void => {
    if (error instanceof Error && refusal.test(error.message)) this.#refusedAt = performance.now();
  };

  /** After `send` of the same moment. A node that counted nothing says once a minute what it counts. */
  async sendClients(redis: Connection): Promise<void> {
    const { nowMs } = this.#uplink;
    const clients = this.#tally.takeClients(nowMs);
    if (redis.status !== "ready") return;
    const { counted } = clients;
    const said = `${Math.floor(nowMs / minuteMs)} ${counted.map(({ key, seconds }) => `${key} ${seconds}`)}`;
    const isSaid = said === this.#counted;
    await sendClients(redis, isSaid ? { ...clients, counted: [] } : clients, nowMs);
    this.#counted = said;
  }

  /** Seconds of Redis' clock since the counts before were taken, whether these arrived or not. */
  #covers(nowMs: number): number {
    const [second, atMs] = [Math.floor(nowMs / 1_000), performance.now()];
    const { second: last = second - 1, atMs: lastMs = atMs } = this.#taken ?? {};
    this.#taken = { second, atMs };
    // What a node has learned of Redis' clock since then is no time that has passed.
    const most = Math.min(mostCovered, Math.max(1, Math.ceil((atMs - lastMs) / 1_000)));
    return Math.min(most, Math.max(1, second - last));
  }

  #take(): StatsReport {
    const report = this.#tally.take();
    const minute = Math.floor(this.#uplink.nowMs / minuteMs);
    if (minute !== this.#minute) this.#tally.endMinute();
    this.#minute = minute;
    if (!report) return emptyReport;
    this.pace.add(report);
    if (this.#countsEntries) return report;
    const { entries: _, ...others } = report;
    return others;
  }
}

const within = ([least, most]: readonly [number, number], wanted: number): number =>
  Math.min(most, Math.max(least, Math.round(wanted)));
