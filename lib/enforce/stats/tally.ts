import { at } from "../../at.ts";
import { clientOfRule, fields } from "./fields.ts";
import { BusiestClients, type Hitter, raise } from "./heavy-hitters.ts";

/** What statistics count of one decision. */
export interface CountedDecision {
  readonly outcome: "pass" | "safelisted" | "blocked" | "throttled";
  /** The level of a rule that denied, or the entry that decided, in the words that people see. */
  readonly rule: string | undefined;
  /** The rule that denied. */
  readonly deniedBy: string | undefined;
  /** The client that this rule counted, if it is neither the address nor the customer. */
  readonly counted?: string | undefined;
  readonly shadowed: readonly string[];
  readonly isUnsure: boolean;
  /** The address, or for IPv6 its network, as rules count it by default. Undefined when the client is unknown. */
  readonly network: string | undefined;
  readonly customerId: string | undefined;
  /** The customer has neither a tier of the policy nor limits of its own. */
  readonly isCustomerUnknown: boolean;
  readonly tookMs: number;
}

/** The text of one request. */
export interface RequestText {
  readonly ip: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly userAgent: string;
}

/** A request that is kept for the feed. */
export interface RequestSample extends RequestText {
  readonly outcome: CountedDecision["outcome"] | "shadow";
  readonly rule: string;
  readonly customerId: string;
  /** The number of requests that this one represents. */
  readonly standsFor: number;
}

/** What was counted since the report before. */
export interface StatsReport {
  /** By field of the series: an outcome, a rule, a latency bucket. */
  readonly counts: ReadonlyMap<string, number>;
  readonly hitters: readonly Hitter[];
  readonly seen: readonly RequestSample[];
}

/** Upper ends, in ms, of what decisions are sorted into; the last bucket takes the rest. */
export const latencyEndsMs = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50] as const;

/** Clients that a node counts separately in one second. */
const mostClients = 8_192;
/** One in so many requests of a client is a sample. */
const sampleEvery = 64;

interface KeptRequest extends Omit<RequestSample, keyof RequestText | "standsFor"> {
  readonly request: RequestText;
  readonly isDenial: boolean;
}

const outcomes = ["pass", "safelisted", "blocked", "throttled"] as const;

/** What a node counts between two reports, in memory that does not grow with the number of clients. */
export class StatsTally {
  readonly #outcomes = { pass: 0, safelisted: 0, blocked: 0, throttled: 0 };
  /** By rule. */
  readonly #denied = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #latencies = new Uint32Array(latencyEndsMs.length + 1);
  readonly #ips = new BusiestClients("ip", mostClients);
  readonly #customers = new BusiestClients("customer", mostClients / 4);
  readonly #others = new BusiestClients("rule", mostClients / 4);
  readonly #busiest = [this.#ips, this.#customers, this.#others];
  readonly #kept: KeptRequest[] = [];
  #tookMs = 0;
  /** Denials so far, of which only some are kept. */
  #denials = 0;
  /** For one report. */
  #most = { hitters: 1_000, seen: 20 };

  /** @param most of each kind in one report */
  keepAtMost(most: { readonly hitters: number; readonly seen: number }): void {
    this.#most = most;
  }

  /** So much passed above the limit of a rule. */
  noteOver(rule: string, amount: number): void {
    this.#count(fields.over(rule), amount);
  }

  /** @param describe gives the request's text; called for few requests, because it costs more than counting */
  note<Decision extends CountedDecision>(
    decision: Decision,
    describe: (decision: Decision) => RequestText,
  ): void {
    const { outcome, deniedBy, shadowed, network, customerId, counted } = decision;
    const isDenied = outcome === "blocked" || outcome === "throttled";
    this.#outcomes[outcome]++;
    if (decision.isUnsure) this.#count(fields.unsure);
    if (decision.isCustomerUnknown) this.#count(fields.unknownCustomer);
    if (deniedBy !== undefined) this.#denied.set(deniedBy, (this.#denied.get(deniedBy) ?? 0) + 1);
    for (const name of shadowed) this.#count(fields.shadow(name));
    raise(this.#latencies, bucketOf(decision.tookMs));
    this.#tookMs += decision.tookMs;
    const isSample = network !== undefined && this.#ips.hit(network, isDenied) % sampleEvery === 1;
    if (customerId !== undefined) this.#customers.hit(customerId, isDenied);
    if (counted !== undefined && deniedBy !== undefined)
      this.#others.hit(clientOfRule(deniedBy, counted), isDenied);
    if (isDenied || shadowed.length > 0) {
      const place = this.#placeOfNextDenial();
      if (place !== undefined) this.#keep(decision, describe(decision), true, place);
    } else if (isSample && this.#kept.length < 2 * this.#most.seen) {
      this.#keep(decision, describe(decision), false, this.#kept.length);
    }
  }

  /** Everything counted since the call before, which is forgotten here. Undefined when there is nothing to report. */
  take(): StatsReport | undefined {
    const hitters = this.#heaviest();
    this.#countTogether();
    if (this.#counts.size === 0 && hitters.length === 0) return undefined;
    const counts = new Map(this.#counts);
    this.#latencies.forEach((count, bucket) => {
      if (count > 0) counts.set(fields.took(bucket), count);
    });
    const report = { counts, hitters, seen: this.#samples() };
    if (counts.size > 0) counts.set(fields.tookMicros, Math.round(this.#tookMs * 1_000));
    this.#tookMs = 0;
    this.#counts.clear();
    this.#latencies.fill(0);
    this.#kept.length = 0;
    this.#denials = 0;
    return report;
  }

  /** Clients are counted by the minute: what is left of one does not belong into the next. */
  endMinute(): void {
    for (const busiest of this.#busiest) busiest.clear();
  }

  /** What each request adds to has no field of its own in between. */
  #countTogether(): void {
    for (const outcome of outcomes) {
      if (this.#outcomes[outcome] > 0) this.#count(fields.outcome(outcome), this.#outcomes[outcome]);
      this.#outcomes[outcome] = 0;
    }
    for (const [rule, count] of this.#denied) this.#count(fields.denied(rule), count);
    this.#denied.clear();
  }

  #count(field: string, amount = 1): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + amount);
  }

  /** Each denial has the same chance to be kept, however many there are. Undefined for one that is not. */
  #placeOfNextDenial(): number | undefined {
    this.#denials++;
    if (this.#denials <= this.#most.seen) return this.#kept.length;
    const nth = Math.floor(Math.random() * this.#denials);
    return nth < this.#most.seen ? this.#placeOfDenial(nth) : undefined;
  }

  #placeOfDenial(nth: number): number {
    let left = nth;
    return this.#kept.findIndex(({ isDenial }) => isDenial && left-- === 0);
  }

  #keep(
    { outcome, rule, shadowed, customerId }: CountedDecision,
    request: RequestText,
    isDenial: boolean,
    place: number,
  ): void {
    const isShadow = outcome === "pass" && shadowed.length > 0;
    this.#kept[place] = {
      outcome: isShadow ? "shadow" : outcome,
      rule: (isShadow ? shadowed[0] : rule) ?? "",
      customerId: customerId ?? "",
      request,
      isDenial,
    };
  }

  #samples(): RequestSample[] {
    const keptDenials = Math.min(this.#denials, this.#most.seen);
    const share = keptDenials === 0 ? 1 : Math.max(1, Math.round(this.#denials / keptDenials));
    return this.#kept.map(({ request, isDenial, outcome, rule, customerId }) => ({
      ...request,
      outcome,
      rule,
      customerId,
      standsFor: isDenial ? share : sampleEvery,
    }));
  }

  /** Other clients keep their counts until a later report: few requests a second are many a minute. */
  #heaviest(): Hitter[] {
    const all = this.#busiest.flatMap((busiest) => [...busiest.unreported()]);
    if (all.length > this.#most.hitters) all.sort((a, b) => b.count - a.count);
    return all.slice(0, this.#most.hitters).map((hitter) => hitter.of.report(hitter));
  }
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
