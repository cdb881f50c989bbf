import type { Block, ClientAddress } from "../../ip/block.ts";
import { clientAddress } from "../../ip/client-address.ts";
import type { Ip } from "../../ip/parse.ts";
import type { RedisSource } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { Lists } from "../lists/replica.ts";
import { costProblem } from "../policy/bounds.ts";
import type { Caller, StoredLimits } from "../policy/client.ts";
import type { LimitOptions } from "../policy/code-limits.ts";
import type { ClientFunctions } from "../policy/identify.ts";
import type { EdgeHeaders } from "../policy/request-rules.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { networkLength } from "../stats/fields.ts";
import type { CountersSource } from "./counters.ts";
import { deadlineOf, held } from "./deadline.ts";
import { DenialReferences } from "./denial-reference.ts";
import { type Explanation, explain } from "./explain.ts";
import { CodeLimits, type CustomerUsage, type Limit, type UsageRequest } from "./limit.ts";
import { type GuardSettings, inMemory, readOptions } from "./options.ts";
import { customerIdOf, decide, readClient } from "./pipeline.ts";
import type { HeaderDialect } from "./rate-limit-headers.ts";
import { CheckedRequest, countFingerprint, noteOnSpan, report } from "./report.ts";
import type { GuardRequest } from "./request.ts";
import { acquireInMemory, acquireRuntime, keepParts, type Runtime } from "./shared-runtime.ts";
import type { GuardStatus } from "./status.ts";
import { Throttle } from "./throttle.ts";
import { ClosedVerdict, isDenied, type Verdict, verdict } from "./verdict.ts";

export interface GuardOptions {
  /**
   * The control server's address, or an ioredis instance whose settings are copied. Where it is left out, the environment says it, as for
   * the console: `REDIS_URL`, and `COUNTERS_REDIS_URL` for counters. Undefined is refused when the guard is made, so a variable of another
   * name can be given as it is. `memory:` is for development and tests: lists, policy and counts in this process, without a server.
   */
  readonly redis?: RedisSource | undefined;
  /** What is protected, as the console names it. */
  readonly app: string;
  /**
   * Where counts are kept: a Redis of their own, Sentinel, a cluster (a comma list), `memcached://host:port`, `memory:`, or
   * an instance of a client. Beside the lists unless given.
   */
  readonly counters?: CountersSource | undefined;
  /** The policy, with `redis: "memory:"` alone. That of a fresh install by default. */
  readonly policy?: PolicyInput | undefined;
  /** Functions that name the client to count, for rules whose client is `{ "code": "<name>" }`. */
  readonly clients?: ClientFunctions | undefined;
  /**
   * Headers in which the edge says the client's country (two letters) and whether the request is of a verified bot (`true` or `1`), for
   * rules that match these. Name only headers that the edge overwrites on every request: a client can send any other. What the
   * app gives with a request wins over them.
   *
   * @example
   * createGuard({ app: "storefront", trustedProxies: 1, edgeHeaders: { country: "cf-ipcountry" } });
   */
  readonly edgeHeaders?: EdgeHeaders | undefined;
  /** Whose X-Forwarded-For is believed: a number of hops, or the proxies' addresses and ranges. No proxy's by default. */
  readonly trustedProxies?: number | string | readonly string[] | undefined;
  /** Addresses and ranges that no blocklist entry may stop at this app. */
  readonly neverBlock?: string | readonly string[] | undefined;
  /**
   * How responses say what is left of the limits: `"draft"`, with `ratelimit-policy` and `ratelimit` of the IETF's current draft;
   * `"x-ratelimit"`, with `x-ratelimit-limit`, `-remaining` and `-reset` (seconds since 1970) of the tightest limit; or `"none"`.
   * `retry-after` is on denials in any case. `"draft"` by default.
   */
  readonly rateLimitHeaders?: HeaderDialect | undefined;
  /** Where lines go: one when an outage begins, one every five minutes while it lasts, one when it ends. `console.warn` by default. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Guard {
  /**
   * Whether a request may pass. Returns within 50 ms, also while Redis does not answer; the verdict's `trouble` says what is
   * missing then. The first checks of a process ask Redis for lists and policy, then for counts: with a distant Redis, they may
   * take as long again. Lists cost no round trip once they are loaded. Never throws, except for a `cost` that cannot be charged where
   * `NODE_ENV` is `development` or `test`.
   */
  check(request: GuardRequest): Promise<Verdict>;
  /** Every step of the same decision with what each step found, without a side effect. */
  explain(request: GuardRequest): Promise<Explanation>;
  /**
   * A limit beside the route, for any key, with or without a request. It is reported to the console, where an admin may put it into
   * shadow, switch it off or publish other levels. The same name is the same limit. Throws a DomainError if an option cannot be
   * read; for other options than the name had before, where `NODE_ENV` is `development` or `test`, elsewhere the log says so once.
   *
   * @example
   * const exports = guard.limit("export", { levels: [{ limit: 10, periodSeconds: 60 }], by: "customer" });
   * const { outcome, retryAfterSeconds } = await exports.check("acme");
   */
  limit(name: string, options: LimitOptions): Limit;
  /**
   * What a customer has used and what is left, by every rule in force that counts it and by the limits of this guard with
   * `by: "customer"`. One round trip, which charges nothing. Never throws.
   *
   * @example
   * const { tier, levels } = await guard.usage({ customerId: "acme" });
   * levels; // [{ rule: "req/customer", limit: 100, periodSeconds: 60, used: 12, remaining: 88, resetSeconds: 31 }]
   */
  usage(of: UsageRequest): Promise<CustomerUsage>;
  /** The client's address, from the socket's peer and the header a trusted proxy wrote. */
  clientAddress(peer: string | undefined, forwardedFor: string | null | undefined): Ip | undefined;
  /** Resolves once the lists are in memory. Checks are answered before that, too. */
  ready(): Promise<void>;
  /** How this guard is, for a health page or an alarm. Costs nothing. */
  status(): GuardStatus;
  /** Leaves the fleet and closes the connections. */
  close(): Promise<void>;
}

/**
 * Returns a guard at once; it connects in the background, and again whenever it has to. Throws a DomainError if an option is
 * missing, unknown or cannot be read.
 *
 * @example
 * const guard = createGuard({ app: "storefront" }); // on the Redis of REDIS_URL
 * const { outcome, status } = await guard.check({ ip: "203.0.113.9" });
 */
export function createGuard(options: GuardOptions): Guard {
  const settings = readOptions(options);
  const runtime = settings.redis === inMemory ? acquireInMemory(settings) : acquireRuntime(settings);
  return guardOn(runtime, settings);
}

/** A guard of a runtime, which it closes. */
export function guardOn(
  { node, counters, bans, status, close }: Runtime,
  {
    app,
    clients,
    edgeHeaders,
    trust,
    headers,
  }: Pick<GuardSettings, "app" | "clients" | "edgeHeaders" | "trust" | "headers">,
): Guard {
  const throttle = new Throttle(node, counters, bans, { app, clients, edgeHeaders, headers });
  const references = new DenialReferences(app, node.state.references);
  const limits = new CodeLimits({ node, counters, throttle, app, references });

  /** No promise is made where nothing has to be asked: most verdicts are known. Nor a closure, which each call would pay for. */
  function decideInTime(
    request: GuardRequest,
    client: ClientAddress | undefined,
    startedAt: number,
  ): Verdict | Promise<Verdict> {
    if (!client) {
      node.odd.meetUnknown();
      return tell(request, client, undefined, startedAt, verdict.unsure("unknown-client"));
    }
    const deadline = deadlineOf(startedAt);
    // Before the copies are loaded Redis is asked for both at once, so a customer costs no round trip of its own.
    const listing = node.lists(client, deadline);
    const id = customerIdOf(request);
    const asking = id && node.storedLimits(id, deadline);
    if (listing instanceof Promise || asking instanceof Promise)
      return decideLater(request, client, id, startedAt, Promise.all([listing, asking]));
    return decideBy(
      request,
      client,
      id && throttle.callerOf(id, asking || undefined, request),
      startedAt,
      listing,
    );
  }

  async function decideLater(
    request: GuardRequest,
    client: ClientAddress,
    id: CustomerId | undefined,
    startedAt: number,
    asking: Promise<readonly [Lists | undefined, StoredLimits | "" | undefined]>,
  ): Promise<Verdict> {
    const [lists, limits] = await asking;
    return decideBy(
      request,
      client,
      id && throttle.callerOf(id, limits || undefined, request),
      startedAt,
      lists,
    );
  }

  function decideBy(
    request: GuardRequest,
    client: ClientAddress,
    caller: Caller | undefined,
    startedAt: number,
    lists: Lists | undefined,
  ): Verdict | Promise<Verdict> {
    if (!lists) return tell(request, client, undefined, startedAt, verdict.unsure("lists-unavailable"));
    const found = decide(lists, throttle, request, client, caller, startedAt);
    return found instanceof Promise
      ? tellLater(request, client, caller, startedAt, found)
      : tell(request, client, caller, startedAt, found);
  }

  async function tellLater(
    request: GuardRequest,
    client: ClientAddress,
    caller: Caller | undefined,
    startedAt: number,
    deciding: Promise<Verdict>,
  ): Promise<Verdict> {
    return tell(request, client, caller, startedAt, await deciding);
  }

  async function decideSafely(
    request: GuardRequest,
    client: ClientAddress | undefined,
    startedAt: number,
    deciding: Promise<Verdict>,
  ): Promise<Verdict> {
    try {
      return await deciding;
    } catch (error) {
      return fail(request, client, startedAt, error);
    }
  }

  function fail(
    request: GuardRequest,
    client: ClientAddress | undefined,
    startedAt: number,
    error: unknown,
  ): Verdict {
    node.odd.fail(error);
    return tell(request, client, undefined, startedAt, verdict.unsure("failed"));
  }

  function tell(
    request: GuardRequest,
    client: ClientAddress | undefined,
    caller: Caller | undefined,
    startedAt: number,
    found: Verdict,
  ): Verdict {
    const final = costProblem(request?.cost) === undefined ? found : verdict.withTrouble(found, "bad-cost");
    const tookMs = performance.now() - startedAt;
    const checked = new CheckedRequest(
      request,
      client,
      caller,
      final,
      tookMs,
      feedsInShadow(client, caller, final),
    );
    report(node.reporter, checked);
    noteOnSpan(final, tookMs);
    if (node.fingerprints?.isOn) countFingerprint(node.fingerprints, checked);
    if (isDenied(final)) {
      const atMs = node.reporter.redisMs(startedAt);
      ClosedVerdict.refer(final, references.makerOf(final, { client, customer: caller?.id, atMs }));
    }
    return final;
  }

  /** Counts the client for the feeds in shadow that would have blocked it. Undefined where there are none, as in most requests. */
  function feedsInShadow(
    client: ClientAddress | undefined,
    caller: Caller | undefined,
    { outcome }: Verdict,
  ): readonly string[] | undefined {
    const { feeds } = node.state;
    if (!feeds.hasShadow || !client || throttle.policy?.mode === "off") return undefined;
    if (outcome === "blocked" || outcome === "safelisted") return undefined;
    const names = feeds.shadowsOf(client);
    for (const name of names) node.reporter.noteShadowed(name, client.network(networkLength), caller?.id);
    return names;
  }

  /** @throws for a request that cannot be read, and for a bad cost in development */
  function check(request: GuardRequest): Verdict | Promise<Verdict> {
    const startedAt = performance.now();
    const client = readClient(request);
    node.odd.meetCost(request?.cost, "guard.check");
    try {
      const decided = decideInTime(request, client, startedAt);
      return decided instanceof Promise ? decideSafely(request, client, startedAt, decided) : decided;
    } catch (error) {
      return fail(request, client, startedAt, error);
    }
  }

  const guard: Guard = {
    check(request) {
      try {
        return Promise.resolve(check(request));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    explain(request) {
      const readEntries = (client: Block) => node.coveringEntries(client);
      const readRules = (client: ClientAddress) => throttle.read(request, client);
      const { lists: replica, feeds } = node.state;
      return held(explain({ readEntries, replica, readRules, readFeeds: async () => feeds }, request));
    },
    limit: (name, options) => limits.of(name, options),
    usage: (of) => limits.usage(of),
    clientAddress: (peer, forwardedFor) => clientAddress(peer, forwardedFor, trust),
    ready: () => held(node.ready),
    status,
    async close() {
      limits.close();
      throttle.close();
      await held(close());
    },
  };
  keepParts(guard, { node, counters, app });
  return guard;
}
