import { isDevelopment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import type { ClientAddress } from "../../ip/block.ts";
import { clientAddress } from "../../ip/client-address.ts";
import type { Ip } from "../../ip/parse.ts";
import type { RedisSource } from "../../redis/connect.ts";
import type { Lists } from "../lists/replica.ts";
import { costProblem } from "../policy/bounds.ts";
import type { Caller } from "../policy/client.ts";
import type { ClientFunctions } from "../policy/identify.ts";
import type { CountersSource } from "./counters.ts";
import { deadlineOf, held } from "./deadline.ts";
import { type Explanation, explain } from "./explain.ts";
import { readOptions } from "./options.ts";
import { customerIdOf, decide, readClient } from "./pipeline.ts";
import { CheckedRequest, countFingerprint, report } from "./report.ts";
import type { GuardRequest } from "./request.ts";
import { acquireRuntime } from "./shared-runtime.ts";
import { type GuardStatus, statusOf } from "./status.ts";
import { Throttle } from "./throttle.ts";
import { type Verdict, verdict } from "./verdict.ts";

export interface GuardOptions {
  /**
   * The control server's address, or an ioredis instance whose settings are copied. Undefined is refused when the guard
   * is made, so `process.env.REDIS_URL` can be given as it is.
   */
  readonly redis: RedisSource | undefined;
  /** What is protected, as the console names it. */
  readonly app: string;
  /**
   * Where counts are kept: a Redis of their own, Sentinel, a cluster (a comma list), `memcached://host:port`, `memory:`, or
   * an instance of a client. Beside the lists unless given.
   */
  readonly counters?: CountersSource | undefined;
  /** Functions that name the client to count, for rules whose client is `{ "code": "<name>" }`. */
  readonly clients?: ClientFunctions | undefined;
  /** Whose X-Forwarded-For is believed: a number of hops, or the proxies' addresses and ranges. No proxy's by default. */
  readonly trustedProxies?: number | string | readonly string[] | undefined;
  /** Addresses and ranges that no blocklist entry may stop at this app. */
  readonly neverBlock?: string | readonly string[] | undefined;
  /** Where lines go: one when an outage begins, one every five minutes while it lasts, one when it ends. `console.warn` by default. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A verdict, and the signed-in customer that it was given for. */
interface VerdictForCaller {
  readonly found: Verdict;
  readonly caller?: Caller | undefined;
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
 * const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "storefront" });
 * const { outcome, status } = await guard.check({ ip: "203.0.113.9" });
 */
export function createGuard(options: GuardOptions): Guard {
  const { clients, trust, ...settings } = readOptions(options);
  const { node, counters, bans, close } = acquireRuntime(settings);
  const throttle = new Throttle(node, counters, bans, { app: settings.app, clients });

  /** No promise is made where nothing has to be asked: most verdicts are known. */
  function decideInTime(
    request: GuardRequest,
    client: ClientAddress | undefined,
    startedAt: number,
  ): VerdictForCaller | Promise<VerdictForCaller> {
    if (!client) {
      node.meetUnknown();
      return { found: verdict.unsure("unknown-client") };
    }
    const deadline = deadlineOf(startedAt);
    // Before the copies are loaded Redis is asked for both at once, so a customer costs no round trip of its own.
    const listing = node.lists(client, deadline);
    const id = customerIdOf(request);
    const asking = id && node.storedLimits(id, deadline);
    if (!(listing instanceof Promise || asking instanceof Promise))
      return decideBy(request, client, listing, id && throttle.callerOf(id, asking || undefined), startedAt);
    return Promise.all([listing, asking]).then(([lists, limits]) =>
      decideBy(request, client, lists, id && throttle.callerOf(id, limits || undefined), startedAt),
    );
  }

  function decideBy(
    request: GuardRequest,
    client: ClientAddress,
    lists: Lists | undefined,
    caller: Caller | undefined,
    startedAt: number,
  ): VerdictForCaller | Promise<VerdictForCaller> {
    if (!lists) return { found: verdict.unsure("lists-unavailable"), caller: undefined };
    const found = decide(lists, throttle, request, client, caller, startedAt);
    return found instanceof Promise ? found.then((late) => ({ found: late, caller })) : { found, caller };
  }

  function failed(error: unknown): VerdictForCaller {
    node.fail(error);
    return { found: verdict.unsure("failed") };
  }

  function decideSafely(request: GuardRequest, client: ClientAddress | undefined, startedAt: number) {
    try {
      return decideInTime(request, client, startedAt);
    } catch (error) {
      return failed(error);
    }
  }

  function tell(
    request: GuardRequest,
    client: ClientAddress | undefined,
    startedAt: number,
    { found, caller }: VerdictForCaller,
  ): Verdict {
    const reported =
      costProblem(request?.cost) === undefined ? found : verdict.withTrouble(found, "bad-cost");
    const tookMs = performance.now() - startedAt;
    const checked = new CheckedRequest(request, client, caller, reported, tookMs);
    report(node.reporter, checked);
    if (node.fingerprints?.isOn) countFingerprint(node.fingerprints, checked);
    return reported;
  }

  /** Throws in development and in tests, so that a mistake is found before it is in use. */
  function meetCost(request: GuardRequest): void {
    const problem = costProblem(request?.cost);
    if (problem === undefined) return;
    if (isDevelopment()) throw new DomainError("bad-input", `guard.check: ${problem}.`, { cost: problem });
    node.meetBadCost(problem);
  }

  return {
    check(request) {
      const startedAt = performance.now();
      try {
        const client = readClient(request);
        meetCost(request);
        const decided = decideSafely(request, client, startedAt);
        if (!(decided instanceof Promise)) return Promise.resolve(tell(request, client, startedAt, decided));
        return decided.catch(failed).then((late) => tell(request, client, startedAt, late));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    explain(request) {
      const { redis, state } = node;
      const readRules = (client: ClientAddress) => throttle.read(request, client);
      return held(
        explain({ redis, protectedRanges: state.protectedRanges, replica: state.lists, readRules }, request),
      );
    },
    clientAddress: (peer, forwardedFor) => clientAddress(peer, forwardedFor, trust),
    ready: () => held(node.ready),
    status: () => statusOf(node, counters),
    async close() {
      throttle.close();
      await held(close());
    },
  };
}
