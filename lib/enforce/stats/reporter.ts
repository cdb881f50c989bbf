import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Uplink } from "../../redis/uplink.ts";
import type { Scope, ScopeCounter } from "../policy/match.ts";
import { AddressUses } from "./address-uses.ts";
import { ownersFormat, sendClients, sendEvidence, sendOwners, sendReport } from "./report.ts";
import {
  type CountedDecision,
  type LimitDecision,
  Pace,
  type RequestText,
  type StatsReport,
  StatsTally,
} from "./tally.ts";

const minuteMs = 60_000;

/** A limit that code names, as it is reported to the fleet. */
export interface LimitReport {
  /** `<app>/<name>` */
  readonly field: string;
  /** Its text at a moment of Redis' clock. */
  readonly write: (nowMs: number) => string;
  /** A limit of which no node has said anything for so long is gone. */
  readonly lifeMs: number;
}

/** Most that all nodes together send to Redis in a second. */
const fleetHitters = 4_000;
const fleetSeen = 200;
const fleetEvidence = 300;
const fleetUses = 500;
const limits = { hitters: [50, 1_000], seen: [2, 20], evidence: [2, 50], uses: [10, 200] } as const;
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
