import type { Level } from "../policy/levels.ts";

/** What the guard is asked about. Only the address is required. */
export interface GuardRequest {
  /**
   * The client's address, as `guard.clientAddress` returns it. Undefined or unreadable: the request passes, and the verdict's
   * `trouble` is `unknown-client`.
   */
  readonly ip: string | undefined;
  /** `GET`, `POST`, …, for rules that match methods. */
  readonly method?: string | undefined;
  /** The Host header, for the denials that the console shows and for fingerprints. */
  readonly host?: string | undefined;
  /** The path, for rules that match paths. A query is not part of it. */
  readonly path?: string | undefined;
  /** The path and query as they were sent, where the framework shows another path: an edge in front sees these. */
  readonly target?: string | undefined;
  /** For rules that count by header, cookie or Basic user, and the user agent that the console shows. */
  readonly headers?: Headers | Readonly<Record<string, string | string[] | undefined>> | undefined;
  /** The user, for rules that count by user. The app has to have verified it. */
  readonly user?: string | undefined;
  /** The client's country, by two letters, for rules that match countries. */
  readonly country?: string | undefined;
  /** The request is of a bot that the app or its edge has verified, for rules that match these. */
  readonly verifiedBot?: boolean | undefined;
  /** The customer, whose tier and overrides then apply. The app has to have verified it. Up to 64 of `A-Z a-z 0-9 _ . @ -`. */
  readonly customerId?: string | undefined;
  /**
   * The customer's tier, as the app's session knows it: no key in Redis is needed first. An override, `limits` and a tier in Redis
   * win over it, and it wins over the policy's default tier. A tier that the policy does not have is ignored, and logged once.
   *
   * @example
   * identify: (request) => ({ customerId: session.account, tier: session.plan })
   */
  readonly tier?: string | undefined;
  /**
   * Levels of this customer alone, as the app's session knows them, in place of those of a tier. Only an override in Redis wins
   * over them. Levels that a policy could not have are ignored, and logged once. Customers with equal ones share a plan, so give
   * the same levels in the same order.
   *
   * @example
   * identify: (request) => ({ customerId: session.account, limits: [{ limit: session.quota, periodSeconds: 3600 }] })
   */
  readonly limits?: readonly Level[] | undefined;
  /**
   * What the request costs under rules with `"cost": "request"`, 1 unless given: a whole number from 0 to 1,000,000,000,000.
   * 0 charges nothing, and is denied where a request of cost 1 would be. Rules with a cost of their own charge that.
   *
   * Anything else is a mistake of the app. Where `NODE_ENV` is `development` or `test`, `check` throws, so that it is found.
   * Elsewhere a fraction is rounded up, more than the highest cost is denied, and what is no amount (negative, NaN) costs 1;
   * the verdict's trouble is `bad-cost`, and the first one is logged.
   */
  readonly cost?: number | undefined;
}
