import { DomainError } from "../errors.ts";
import { type Block, isWhole } from "../ip/block.ts";
import { clientAddress, parseTrust, type Trust } from "../ip/client-address.ts";
import { type Cidr, type Ip, parseAddress, readBlock } from "../ip/parse.ts";
import { protectedRanges } from "../lists/protected.ts";
import type { ClientFunctions } from "../policy/identify.ts";
import type { RedisSource } from "../redis/connect.ts";
import { type Explanation, explain } from "./explain.ts";
import { report } from "./report.ts";
import { spot } from "./spot.ts";
import { leaseStation } from "./station.ts";
import type { CountersSource } from "./store.ts";
import { Throttle } from "./throttle.ts";
import { type Verdict, verdict } from "./verdict.ts";

export interface GuardOptions {
  /** The control server's address, or an ioredis instance whose settings are copied. */
  readonly redis: RedisSource;
  /** What is protected, as the console names it. */
  readonly app: string;
  /**
   * Where counts are kept: a Redis of their own, Sentinel, a cluster (a comma list), `memcached://host:port`, `memory:`, or
   * an instance of a client. Beside the lists unless given.
   */
  readonly counters?: CountersSource | undefined;
  /** Functions that say who is counted, for rules whose client is `{ "code": "<name>" }`. */
  readonly clients?: ClientFunctions | undefined;
  /** Whose X-Forwarded-For is believed: a number of hops, or the proxies' addresses and ranges. Nobody's by default. */
  readonly trustedProxies?: number | string | readonly string[] | undefined;
  /** Addresses and ranges that no blocklist entry may stop at this app. */
  readonly neverBlock?: string | readonly string[] | undefined;
  /** Where the one line at the beginning and the end of an outage goes. */
  readonly log?: ((line: string) => void) | undefined;
}

/** What the guard is asked about. Only the address is needed. */
export interface GuardRequest {
  readonly ip: string | undefined;
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  /** As it was sent, where the framework tells another path: what an edge in front sees. */
  readonly target?: string;
  readonly headers?: Headers | Readonly<Record<string, string | string[] | undefined>>;
  readonly user?: string;
  readonly customerId?: string;
  readonly cost?: number;
}

export interface Guard {
  /** Whether a request may pass. Returns within 50 ms, never throws, and costs no round trip once the lists are loaded. */
  check(request: GuardRequest): Promise<Verdict>;
  /** Every step of the same decision with what each step found, without a side effect. */
  explain(request: GuardRequest): Promise<Explanation>;
  /** The client's address, from the socket's peer and the header a trusted proxy wrote. */
  clientAddress(peer: string | undefined, forwardedFor: string | null | undefined): Ip | undefined;
  /** Resolves once the lists are in memory. Checks are answered before that, too. */
  ready(): Promise<void>;
  /** Says good-bye to the fleet and closes the connections. */
  close(): Promise<void>;
}

/**
 * Returns a guard at once; it connects by itself, and again whenever it has to.
 *
 * @example
 * const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "storefront" });
 * const { outcome, status } = await guard.check({ ip: "203.0.113.9" });
 */
export function createGuard(options: GuardOptions): Guard {
  const trust = readTrust(options.trustedProxies);
  const { node, counters, bans, release } = leaseStation({
    redis: options.redis,
    counters: options.counters ?? options.redis,
    app: options.app,
    protectedRanges: protectedRanges({
      trustedProxies: trust.ranges.ranges,
      neverBlock: readRanges(options.neverBlock),
    }),
    log: options.log ?? console.warn,
  });

  const throttle = new Throttle(node, counters, bans, { app: options.app, clients: options.clients ?? {} });

  async function decide(request: GuardRequest, client: Block | undefined): Promise<Verdict> {
    if (!client) {
      node.meetUnknown();
      return verdict.unsure("unknown-client");
    }
    const lists = await node.lists(client);
    if (!lists) return verdict.unsure("lists-unavailable");

    const safe = lists.match("safelist", client);
    if (safe) return verdict.safelisted(safe);

    if (throttle.isOff) return verdict.pass();

    const blocked = lists.match("blocklist", client);
    if (blocked) return verdict.blocked(blocked);

    return throttle.decide(request, client);
  }

  const failed = (error: unknown): Verdict => {
    node.fail(error);
    return verdict.unsure("failed");
  };

  return {
    async check(request) {
      const startedAt = performance.now();
      const client = identify(request);
      const found = await decide(request, client).catch(failed);
      report(node.reporter, { request, client, verdict: found, tookMs: performance.now() - startedAt });
      if (client) spot(node.spotter, { request, client, verdict: found });
      return found;
    },
    explain(request) {
      const { redis, protectedRanges, replica } = node;
      const readRules = (client: Block) => throttle.read(request, client);
      return explain({ redis, protectedRanges, replica, readRules }, request);
    },
    clientAddress: (peer, forwardedFor) => clientAddress(peer, forwardedFor, trust),
    ready: () => node.ready,
    async close() {
      throttle.close();
      await release();
    },
  };
}

function identify(request: GuardRequest): Block | undefined {
  const client = typeof request?.ip === "string" ? readBlock(request.ip) : undefined;
  return client && isWhole(client) ? client : undefined;
}

function readTrust(setting: GuardOptions["trustedProxies"]): Trust {
  const trust = parseTrust(setting);
  if (!trust.ok) throw new DomainError("bad-input", `trustedProxies: ${trust.reason}.`);
  return trust.value;
}

function readRanges(setting: GuardOptions["neverBlock"]): (Ip | Cidr)[] {
  const texts = typeof setting === "string" ? setting.split(/[\s,]+/) : (setting ?? []);
  return texts.filter(Boolean).map((text) => {
    const range = parseAddress(text);
    if (!range.ok) throw new DomainError("bad-input", `neverBlock: ${range.reason}.`);
    return range.value;
  });
}
