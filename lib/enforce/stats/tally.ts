import { at, madeOnce } from "../../at.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Scope, ScopeCounter } from "../policy/match.ts";
import { clientOfRule, fields } from "./fields.ts";
import {
  BusiestClients,
  BusiestEntries,
  type ClientAmount,
  type CountedPlan,
  type Hitter,
  mostAddresses,
  type RememberedSlot,
  RuleHits,
  raise,
  type ScopeCounts,
  ScopeTally,
  ShadowedClients,
} from "./heavy-hitters.ts";

/** What statistics count of one decision. */
export interface CountedDecision {
  readonly outcome: "pass" | "safelisted" | "blocked" | "throttled";
  /** The level of a rule that denied, or the entry or suspension that decided, in the words that people see. */
  readonly rule: string | undefined;
  /** The address or range of the list entry that decided. */
  readonly entry?: string | undefined;
  /** The rule that denied, or `suspensionName`. */
  readonly deniedBy: string | undefined;
  /** The client that this rule counted, if it is neither the address nor the customer. */
  readonly counted?: string | undefined;
  readonly shadowed: readonly string[];
  readonly isUnsure: boolean;
  /** The address, or for IPv6 its network, as rules count it by default. Undefined when the client is unknown. */
  readonly network: string | undefined;
  /** The address itself. */
  readonly client?: RememberedSlot | undefined;
  readonly customerId: string | undefined;
  /** The tier or the levels of the customer that the app's own session gave, where they count, as `readSession` reads them. */
  readonly session?: string | undefined;
  /** The customer has neither a tier of the policy nor limits of its own. */
  readonly isCustomerUnknown: boolean;
  readonly tookMs: number;
  /** The rules that counted the request, if any did. */
  readonly plan?: CountedPlan | undefined;
  /** What they found; undefined where none was near its limit. */
  readonly readings?: Parameters<RuleHits["note"]>[1];
  /** Broad scopes whose rules counted the request. */
  readonly seenBy?: readonly ScopeCounter[] | undefined;
}

/** How a check of a limit that code names was decided. It is no request of its own. */
export interface LimitDecision {
  /** The name of the limit's rule. */
  readonly limit: string;
  readonly outcome: "pass" | "throttled";
  /** The level that denied, in the words that people see. */
  readonly rule: string | undefined;
  readonly isShadowed: boolean;
  /** What was counted, and what it is: an address or network, a customer, or a key of this limit alone. */
  readonly client: string;
  readonly kind: "ip" | "customer" | "rule";
}

/** The text of one request. */
export interface RequestText {
  readonly ip: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly userAgent: string;
}

/** A request that is kept: what the feed and the evidence show of it. */
export interface RequestSample extends RequestText {
  readonly outcome: CountedDecision["outcome"] | "shadow";
  readonly rule: string;
  readonly customerId: string;
  readonly session?: string | undefined;
  /** The number of requests that this one represents. */
  readonly standsFor: number;
}

/** What was counted since the report before. */
export interface StatsReport {
  /** By field of the series: an outcome, a rule, a latency bucket. */
  readonly counts: ReadonlyMap<string, number>;
  readonly hitters: readonly Hitter[];
  /** By list: requests that each of its entries decided. Missing where none did. */
  readonly entries?: Readonly<Record<ListName, readonly ClientAmount[]>>;
  /** For the feed: denials, each with the same chance, however many there are. */
  readonly seen: readonly RequestSample[];
}

/** What the rules of each scope counted, and which clients rules in shadow would have denied. */
export interface ClientsReport {
  /** All scopes that this node counts. */
  readonly counted: readonly Scope[];
  readonly scopes: readonly ScopeCounts[];
  /** By rule: requests of each client. */
  readonly shadowed: ReadonlyMap<string, readonly ClientAmount[]>;
}

/** A request that is kept for each of its clients. */
export interface EvidenceSample extends RequestSample {
  readonly network: string | undefined;
  /** Its number among the denials of its address, or among the other requests, since the address was reported; or 0. */
  readonly nthOfIp: number;
  readonly nthOfCustomer: number;
  /** The number of all of them. Missing where the client had no place among those that are counted. */
  readonly allOfIp?: number;
  readonly allOfCustomer?: number;
}

/** What was kept of clients since the report before: for busy ones less of each, for many clients some of them. */
export interface EvidenceReport {
  readonly denied: readonly EvidenceSample[];
  readonly passed: readonly EvidenceSample[];
}

/** Upper ends, in ms, of what decisions are sorted into; the last bucket takes the rest. */
export const latencyEndsMs = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50] as const;

/** Customers that a node counts separately in one second, and clients that only one rule counts. */
const mostOthers = 2_048;
/**
 * Some of any number of requests, each with the same chance, in the memory of those (Li's algorithm L: it knows in advance which
 * request is kept next, so that the others cost a comparison).
 */
class Reservoir {
  #most: number;
  #kept: EvidenceSample[] = [];
  #offered = 0;
  #next = 0;
  #weight = 1;

  constructor(most: number) {
    this.#most = most;
  }

  /** From the next report on. */
  keepAtMost(most: number): void {
    if (most === this.#most) return;
    this.#most = most;
    this.take();
  }

  /** The place of the next request. Undefined for one that is not kept: most are not, so its text is not made before. */
  place(): number | undefined {
    this.#offered++;
    if (this.#offered < this.#next) return undefined;
    if (this.#offered > this.#most) {
      this.#skip();
      return Math.floor(Math.random() * this.#most);
    }
    if (this.#offered === this.#most) this.#skip();
    return this.#offered - 1;
  }

  put(place: number, sample: EvidenceSample): void {
    this.#kept[place] = sample;
  }

  take(): { readonly kept: EvidenceSample[]; readonly offered: number } {
    const taken = { kept: this.#kept, offered: this.#offered };
    this.#kept = [];
    this.#offered = 0;
    this.#weight = 1;
    this.#next = this.#most === 0 ? Number.POSITIVE_INFINITY : 0;
    return taken;
  }

  #skip(): void {
    this.#weight *= Math.random() ** (1 / this.#most);
    this.#next = this.#offered + 1 + Math.floor(Math.log(Math.random()) / Math.log1p(-this.#weight));
  }
}

/** A check of a limit has no request that could be shown. */
const noText = { method: "", host: "", path: "", userAgent: "" } as const;
const outcomes = ["pass", "safelisted", "blocked", "throttled"] as const;

/** What a node counts between two reports, in memory that does not grow with the number of clients. */
export class StatsTally {
  readonly #outcomes = { pass: 0, safelisted: 0, blocked: 0, throttled: 0 };
  /** By rule. */
  readonly #denied = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #latencies = new Uint32Array(latencyEndsMs.length + 1);
  readonly #ips = new BusiestClients("ip", mostAddresses);
  readonly #customers = new BusiestClients("customer", mostOthers);
  readonly #others = new BusiestClients("rule", mostOthers);
  readonly #entries = { blocklist: new BusiestEntries(), safelist: new BusiestEntries() };
  readonly #busiest = [this.#ips, this.#customers, this.#others];
  /** By limit of code. */
  readonly #checked = new Map<string, number>();
  readonly #exempt = new Map<string, number>();
  /** By rule. */
  readonly #shadows = new Map<string, number>();
  readonly #shadowed = new Map<string, ShadowedClients>();
  readonly #ruleHits = new RuleHits();
  #scopes: ReadonlyMap<string, ScopeTally> = new Map();
  readonly #seen = new Reservoir(20);
  /** Evidence of clients. */
  readonly #deniedOf = new Reservoir(50);
  readonly #passedOf = new Reservoir(25);
  #tookMs = 0;
  /** In one report. */
  #mostHitters = 1_000;

  /** @param most of each kind in one report */
  keepAtMost(most: { readonly hitters: number; readonly seen: number; readonly evidence: number }): void {
    this.#mostHitters = most.hitters;
    this.#seen.keepAtMost(most.seen);
    this.#deniedOf.keepAtMost(most.evidence);
    this.#passedOf.keepAtMost(Math.ceil(most.evidence / 2));
  }

  /** So much passed above the limit of a rule. */
  noteOver(rule: string, amount: number): void {
    this.#count(fields.over(rule), amount);
  }

  /** The counters of these scopes. Those of others end. */
  countScopes(scopes: readonly Scope[], nowMs: number): ReadonlyMap<string, ScopeTally> {
    const counters = scopes.map((scope) => {
      const known = this.#scopes.get(scope.key);
      const isSame = known?.scope.seconds === scope.seconds;
      return [scope.key, isSame ? known : new ScopeTally(scope, nowMs)] as const;
    });
    this.#scopes = new Map(counters);
    this.#ips.countFor([...this.#scopes.values()].filter(({ scope }) => scope.isBroad));
    return this.#scopes;
  }

  /** A rule in shadow would have denied a request of this client. */
  noteShadowed(rule: string, client: string, customerId: string | undefined): void {
    const known = this.#shadowed.get(rule);
    if (known) known.note(client, customerId);
    else madeOnce(this.#shadowed, rule, () => new ShadowedClients()).note(client, customerId);
  }

  /** Everything that scopes counted since the call before, after `take`. */
  takeClients(nowMs: number): ClientsReport {
    const scopes = [...this.#scopes.values()];
    const most = Math.ceil(this.#mostHitters / 2);
    const shadowed = new Map([...this.#shadowed].map(([rule, clients]) => [rule, clients.take()]));
    this.#shadowed.clear();
    return {
      counted: scopes.map(({ scope }) => scope),
      shadowed,
      scopes: scopes.flatMap((one) => one.report(most, nowMs)),
    };
  }

  /** @param describe gives the request's text; called for few requests, because it costs more than counting */
  note<Decision extends CountedDecision>(
    decision: Decision,
    describe: (decision: Decision) => RequestText,
  ): void {
    const { outcome, deniedBy, shadowed, network, customerId, counted, client, seenBy, plan } = decision;
    const isDenied = outcome === "blocked" || outcome === "throttled";
    this.#outcomes[outcome]++;
    if (plan) this.#ruleHits.note(plan, decision.readings);
    if (decision.isUnsure) this.#count(fields.unsure);
    if (decision.isCustomerUnknown) this.#count(fields.unknownCustomer);
    if (outcome === "blocked" || outcome === "safelisted") this.#noteEntry(outcome, decision.entry);
    if (deniedBy !== undefined) {
      this.#denied.set(deniedBy, (this.#denied.get(deniedBy) ?? 0) + 1);
      if (outcome === "blocked") this.#count(fields.unlisted);
    }
    for (const name of shadowed) this.#shadows.set(name, (this.#shadows.get(name) ?? 0) + 1);
    raise(this.#latencies, bucketOf(decision.tookMs));
    this.#tookMs += decision.tookMs;
    const isDenial = isDenied || shadowed.length > 0;
    const nthOfIp =
      network === undefined ? 0 : this.#ips.hit(network, isDenied, isDenial, client, seenBy, customerId);
    const nthOfCustomer = customerId === undefined ? 0 : this.#customers.hit(customerId, isDenied, isDenial);
    if (counted !== undefined && deniedBy !== undefined)
      this.#others.hit(clientOfRule(deniedBy, counted), isDenied, isDenial);
    const place = isDenial ? this.#seen.place() : undefined;
    const evidence = isDenial ? this.#deniedOf : this.#passedOf;
    const evidencePlace = nthOfIp > 0 || nthOfCustomer > 0 ? evidence.place() : undefined;
    if (place === undefined && evidencePlace === undefined) return;
    const sample = { ...sampleOf(decision, describe(decision)), nthOfIp, nthOfCustomer };
    if (place !== undefined) this.#seen.put(place, sample);
    if (evidencePlace !== undefined) evidence.put(evidencePlace, sample);
  }

  noteExempt(rule: string): void {
    this.#exempt.set(rule, (this.#exempt.get(rule) ?? 0) + 1);
  }

  /** Requests are counted by the guard: a check that passes is none. A denied one is a denial like others. */
  noteLimit({ limit, outcome, rule, isShadowed, client, kind }: LimitDecision): void {
    this.#checked.set(limit, (this.#checked.get(limit) ?? 0) + 1);
    const isDenied = outcome === "throttled";
    if (!isDenied && !isShadowed) return;
    if (isDenied) this.#outcomes.throttled++;
    const counts = isDenied ? this.#denied : this.#shadows;
    counts.set(limit, (counts.get(limit) ?? 0) + 1);
    if (kind === "customer") this.#customers.hit(client, isDenied, true);
    if (kind === "rule") this.#others.hit(clientOfRule(limit, client), isDenied, true);
    if (kind !== "ip") return;
    const nthOfIp = this.#ips.hit(client, isDenied, true);
    const place = this.#seen.place();
    const evidencePlace = this.#deniedOf.place();
    if (place === undefined && evidencePlace === undefined) return;
    const sample = {
      ...{ ...noText, ip: client, network: client, customerId: "", nthOfIp, nthOfCustomer: 0, standsFor: 1 },
      ...{ outcome: isDenied ? outcome : ("shadow" as const), rule: rule ?? limit },
    };
    if (place !== undefined) this.#seen.put(place, sample);
    if (evidencePlace !== undefined) this.#deniedOf.put(evidencePlace, sample);
  }

  /** Everything counted since the call before, which is forgotten here. Undefined when there is nothing to report. */
  take(): StatsReport | undefined {
    const hitters = this.#heaviest();
    const entries = this.#takeEntries();
    this.#countTogether();
    if (this.#counts.size === 0 && hitters.length === 0 && !entries) return undefined;
    const counts = new Map(this.#counts);
    this.#latencies.forEach((count, bucket) => {
      if (count > 0) counts.set(fields.took(bucket), count);
    });
    const report = { counts, hitters, ...(entries && { entries }), seen: this.#samples() };
    if (counts.size > 0) counts.set(fields.tookMicros, Math.round(this.#tookMs * 1_000));
    this.#tookMs = 0;
    this.#counts.clear();
    this.#latencies.fill(0);
    return report;
  }

  /** What was kept of clients since the call before. Called before `take`, which forgets clients. */
  takeEvidence(): EvidenceReport {
    const [denied, passed] = [this.#deniedOf, this.#passedOf].map((evidence, i) =>
      evidence.take().kept.map((sample) => this.#withAll(sample, i === 0)),
    );
    return { denied: denied ?? [], passed: passed ?? [] };
  }

  #withAll(sample: EvidenceSample, isDenial: boolean): EvidenceSample {
    const { network, customerId } = sample;
    return {
      ...sample,
      ...(network !== undefined && { allOfIp: this.#ips.countOf(network, isDenial) }),
      ...(customerId !== "" && { allOfCustomer: this.#customers.countOf(customerId, isDenial) }),
    };
  }

  /** Clients are counted by the minute: what is left of one does not belong into the next. */
  endMinute(): void {
    for (const busiest of this.#busiest) busiest.clear();
    for (const entries of Object.values(this.#entries)) entries.clear();
  }

  #noteEntry(outcome: "blocked" | "safelisted", entry: string | undefined): void {
    if (entry !== undefined) this.#entries[outcome === "blocked" ? "blocklist" : "safelist"].hit(entry);
  }

  #takeEntries(): StatsReport["entries"] {
    const { blocklist, safelist } = this.#entries;
    if (blocklist.size + safelist.size === 0) return undefined;
    return { blocklist: blocklist.take(this.#mostHitters), safelist: safelist.take(this.#mostHitters) };
  }

  /** What each request adds to has no field of its own in between. */
  #countTogether(): void {
    for (const outcome of outcomes) {
      if (this.#outcomes[outcome] > 0) this.#count(fields.outcome(outcome), this.#outcomes[outcome]);
      this.#outcomes[outcome] = 0;
    }
    for (const [rule, count] of this.#denied) this.#count(fields.denied(rule), count);
    this.#denied.clear();
    for (const [rule, count] of this.#exempt) this.#count(fields.exempt(rule), count);
    this.#exempt.clear();
    for (const [limit, count] of this.#checked) this.#count(fields.checked(limit), count);
    this.#checked.clear();
    for (const [rule, count] of this.#shadows) this.#count(fields.shadow(rule), count);
    this.#shadows.clear();
    this.#ruleHits.take((field, count) => this.#count(field, count));
  }

  #count(field: string, amount = 1): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + amount);
  }

  #samples(): RequestSample[] {
    const { kept, offered } = this.#seen.take();
    const standsFor = Math.max(1, Math.round(offered / Math.max(1, kept.length)));
    return kept.map(({ network: _, nthOfIp: __, nthOfCustomer: ___, ...sample }) => ({
      ...sample,
      standsFor,
    }));
  }

  /** Other clients keep their counts until a later report: few requests a second are many a minute. */
  #heaviest(): Hitter[] {
    const all = this.#busiest.flatMap((busiest) => [...busiest.unreported(this.#mostHitters)]);
    if (all.length > this.#mostHitters) all.sort((a, b) => b.count - a.count);
    return all.slice(0, this.#mostHitters).map((hitter) => hitter.of.report(hitter));
  }
}

function sampleOf(decision: CountedDecision, request: RequestText) {
  const { outcome, rule, shadowed, customerId, session, network } = decision;
  const isShadow = outcome === "pass" && shadowed.length > 0;
  return {
    ...request,
    outcome: isShadow ? ("shadow" as const) : outcome,
    rule: (isShadow ? shadowed[0] : rule) ?? "",
    customerId: customerId ?? "",
    session,
    standsFor: 1,
    network,
  };
}

function bucketOf(ms: number): number {
  let bucket = 0;
  while (bucket < latencyEndsMs.length && ms > at(latencyEndsMs, bucket)) bucket++;
  return bucket;
}

interface Interval {
  readonly at: number;
  readonly requests: number;
  readonly denied: number;
}

const paceSpanMs = 10_000;

/** How busy a node is, by its counts of the last ten seconds. Times are milliseconds of one clock. */
export class Pace {
  readonly #startedAt: number;
  #intervals: Interval[] = [];

  constructor(nowMs = performance.now()) {
    this.#startedAt = nowMs;
  }

  /** Adds what was counted since the call before. */
  add({ counts }: Pick<StatsReport, "counts">, nowMs = performance.now()): void {
    const count = (outcome: string) => counts.get(fields.outcome(outcome)) ?? 0;
    const denied = count("throttled") + count("blocked");
    this.#forget(nowMs);
    this.#intervals.push({ at: nowMs, requests: denied + count("pass") + count("safelisted"), denied });
  }

  read(nowMs = performance.now()): { requestsPerSecond: number; deniedPerSecond: number } {
    this.#forget(nowMs);
    const seconds = Math.max(1_000, Math.min(paceSpanMs, nowMs - this.#startedAt)) / 1_000;
    const perSecond = (what: "requests" | "denied") => {
      const sum = this.#intervals.reduce((all, interval) => all + interval[what], 0);
      return Math.round((10 * sum) / seconds) / 10;
    };
    return { requestsPerSecond: perSecond("requests"), deniedPerSecond: perSecond("denied") };
  }

  #forget(nowMs: number): void {
    this.#intervals = this.#intervals.filter(({ at }) => nowMs - at < paceSpanMs);
  }
}
