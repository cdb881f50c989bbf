import type { ClientAddress } from "../../ip/block.ts";
import { partOf } from "../edge/fingerprint-tally.ts";
import type { FingerprintCounter } from "../edge/sightings.ts";
import { feedText } from "../lists/feeds.ts";
import { type Caller, suspensionName } from "../policy/client.ts";
import { bareHost } from "../policy/fingerprint.ts";
import { headerOf, rawPath } from "../policy/request.ts";
import { networkLength } from "../stats/fields.ts";
import type { Reporter } from "../stats/reporter.ts";
import type { CountedDecision, RequestText } from "../stats/tally.ts";
import { planOf, readingsOf } from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import { isExempt, type Verdict } from "./verdict.ts";

/** A request, and how it was decided. Statistics read it as it is: one object less for each request. */
export class CheckedRequest implements CountedDecision {
  readonly request: GuardRequest;
  /** Undefined where the request has no readable address. */
  readonly client: ClientAddress | undefined;
  readonly caller: Caller | undefined;
  readonly verdict: Verdict;
  readonly tookMs: number;
  /** Feeds in shadow that would have blocked the request. */
  readonly feeds: readonly string[];

  constructor(
    request: GuardRequest,
    client: ClientAddress | undefined,
    caller: Caller | undefined,
    verdict: Verdict,
    tookMs: number,
    feeds: readonly string[] = noFeeds,
  ) {
    this.request = request;
    this.client = client;
    this.caller = caller;
    this.verdict = verdict;
    this.tookMs = tookMs;
    this.feeds = feeds;
  }

  get outcome(): Verdict["outcome"] {
    return this.verdict.outcome;
  }

  get rule(): string | undefined {
    return this.verdict.rule;
  }

  get entry(): string | undefined {
    const { by } = this.verdict;
    if (by?.kind === "feed") return feedText(by.feed);
    return by?.kind === "entry" ? by.address : undefined;
  }

  get deniedBy(): string | undefined {
    const { by } = this.verdict;
    if (!by || by.kind === "entry" || by.kind === "feed") return undefined;
    if (isExempt(this.verdict)) return undefined;
    return by.kind === "suspension" ? suspensionName : by.rule;
  }

  get shadowed(): readonly string[] {
    const { shadowed } = this.verdict;
    return this.feeds.length === 0 ? shadowed : [...shadowed, ...this.feeds];
  }

  get counted(): string | undefined {
    return this.verdict.counted;
  }

  get seenBy(): Verdict["seenBy"] {
    return this.verdict.seenBy;
  }

  get plan(): CountedDecision["plan"] {
    return planOf(this.verdict);
  }

  get readings(): CountedDecision["readings"] {
    return readingsOf(this.verdict);
  }

  get isUnsure(): boolean {
    return this.verdict.trouble !== undefined;
  }

  get network(): string | undefined {
    return this.client?.network(networkLength);
  }

  get customerId(): string | undefined {
    return this.caller?.id;
  }

  get session(): string | undefined {
    const limits = this.caller?.limits;
    if (limits?.from === "session-tier") return limits.tier;
    return limits?.from === "session-limits" ? JSON.stringify(limits.levels) : undefined;
  }

  get isCustomerUnknown(): boolean {
    return this.caller !== undefined && this.caller.limits === undefined;
  }
}

const noFeeds: readonly string[] = Object.freeze([]);

/** What paths and user agents are cut to: fingerprints hold as much of a user agent. */
const longest = { path: 200, agent: 256 } as const;

/** Adds the decision to the statistics. It must never fail a request. */
export function report(reporter: Pick<Reporter, "note">, checked: CheckedRequest): void {
  try {
    reporter.note(checked, textOf);
  } catch {
    // An odd request was counted as far as it could be.
  }
}

function textOf({ request, client }: CheckedRequest): RequestText {
  const { method = "GET", host = "" } = request;
  return {
    ip: client?.ip ?? "",
    method: String(method).slice(0, 16),
    host: String(host).slice(0, 100),
    // Queries carry reset tokens and addresses. Every viewer reads the feed.
    path: rawPath(request).slice(0, longest.path),
    userAgent: (headerOf(request, "user-agent") ?? "").slice(0, longest.agent),
  };
}

/** Behind an IPv6 address, such a user agent is ambiguous with the end of the address: a neighbour could be denied. */
const looksLikeAddress = /^[0-9a-f]{0,4}:/i;

/** Counts this request's fingerprint for an edge. Safelisted clients and exempt requests are skipped. It must never fail a request. */
export function countFingerprint(
  counter: Pick<FingerprintCounter, "note">,
  { request, client, caller, verdict }: Pick<CheckedRequest, "request" | "client" | "caller" | "verdict">,
): void {
  if (!client || verdict.outcome === "safelisted" || isExempt(verdict)) return;
  try {
    const { method = "GET", host = "", path = "/", target = path } = request;
    const agent = headerOf(request, "user-agent") ?? "";
    if (client.family === 6 && looksLikeAddress.test(agent)) return;
    counter.note(
      {
        host: partOf(host, bareHost(host)),
        path: partOf(target, rawPath({ path: target })),
        method,
        ip: client.ip,
        userAgent: partOf(agent, agent.slice(0, longest.agent)),
      },
      caller?.limits !== undefined,
    );
  } catch {
    // An odd request was counted as far as it could be.
  }
}

/** What the guard calls of OpenTelemetry's API. */
interface TraceSpan {
  setAttribute(name: string, value: string | number): unknown;
}
interface OpenTelemetry {
  readonly context?: { active(): { getValue(key: symbol): unknown } };
}

/** Where the app's copy of `@opentelemetry/api` registers what it has: no import finds it, so bundles have no part of it. */
const home = Symbol.for("opentelemetry.js.api.1");
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");
const shared: typeof globalThis & { readonly [home]?: OpenTelemetry } = globalThis;

/** Adds the verdict to the active span, where the app has OpenTelemetry. It must never fail a request. */
export function noteOnSpan({ outcome, rule }: Verdict, tookMs: number): void {
  const telemetry = shared[home];
  if (telemetry) note(telemetry, outcome, rule, tookMs);
}

function note(telemetry: OpenTelemetry, outcome: string, rule: string | undefined, tookMs: number): void {
  try {
    const span = telemetry.context?.active().getValue(spanKey);
    if (!isSpan(span)) return;
    span.setAttribute("sluice.outcome", outcome);
    if (rule !== undefined) span.setAttribute("sluice.rule", rule);
    span.setAttribute("sluice.wait_ms", tookMs);
  } catch {
    // A request does not depend on its trace.
  }
}

function isSpan(span: unknown): span is TraceSpan {
  return typeof span === "object" && span !== null && "setAttribute" in span;
}
