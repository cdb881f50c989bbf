import { madeOnce } from "../../at.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { type CustomerId, keys, type ListName } from "../../redis/keys.ts";
import type { Plan, RequestResult, Step, Unweighed } from "../limits/plan.ts";
import { type FeedMatch, feedText } from "../lists/feeds.ts";
import type { SeenBy } from "../policy/compile.ts";
import { denialStatus, type RequestRule } from "../policy/request-rules.ts";
import type { Rule } from "../policy/schema.ts";

/**
 * - `pass`: no list and no rule denies the request, or a rule exempts it from all limits.
 * - `safelisted`: the safelist covers the client. No rule was checked.
 * - `blocked`: the blocklist covers the client, the signed-in customer is suspended, or a rule denies requests like this one. Answer
 *   with `status`.
 * - `throttled`: a rule denies the request. Answer with `status`.
 */
export type Outcome = "pass" | "safelisted" | "blocked" | "throttled";

/**
 * What made a verdict less than certain.
 * - `unknown-client`: the request has no readable address, so nothing was checked.
 * - `lists-unavailable`: lists and policy are not loaded yet, and Redis did not answer in time.
 * - `policy-unavailable`: the policy in Redis cannot be used, so no rule was checked. The lists were.
 * - `bad-cost`: the app gave a cost that cannot be charged as it is: see `GuardRequest.cost`.
 * - `counters-away`, `counters-late`, `counters-refused`: the counters could not be read, so each rule did what its
 *   `onStoreError` says.
 * - `failed`: an error of the guard itself. The log has it.
 *
 * The request passes, unless a rule says otherwise with `onStoreError`.
 */
export type Trouble =
  | "unknown-client"
  | "failed"
  | "lists-unavailable"
  | "policy-unavailable"
  | "bad-cost"
  | `counters-${Unweighed["reason"]}`;

/** What decided, as data; `Verdict.rule` is its name for people. */
export type DecidedBy =
  | { readonly kind: "entry"; readonly list: ListName; readonly address: Ip | Cidr }
  /** A feed of the safelist or the blocklist, by its range around the client. */
  | ({ readonly kind: "feed" } & FeedMatch)
  | { readonly kind: "suspension"; readonly customer: CustomerId }
  | LevelOfRule
  /** A rule that denies or exempts requests for what they are. */
  | { readonly kind: "request-rule"; readonly rule: string; readonly action: RequestRule["action"] }
  /** A rule that did not come to weigh the request. */
  | { readonly kind: "rule"; readonly rule: string };

/** One level of a rule; for EARRRL the period is its half-life. */
export interface LevelOfRule {
  readonly kind: "level";
  readonly rule: string;
  readonly periodSeconds: number;
  /** The rule has other levels, too. */
  readonly isOneOfSeveral: boolean;
}

/** What decided, by its name for people. */
export function nameOf(by: DecidedBy): string {
  if (by.kind === "entry") return keys.entry(by.list, by.address);
  if (by.kind === "suspension") return keys.suspension(by.customer);
  if (by.kind === "feed") return feedText(by.feed);
  return by.kind === "level" && by.isOneOfSeveral ? `${by.rule}/${by.periodSeconds}` : by.rule;
}

/** A step of a plan as what decided. */
export function deciderOf({ rule, periodSeconds }: Step, { steps }: Plan): LevelOfRule {
  let levels = 0;
  for (const step of steps) if (step.rule === rule) levels++;
  return { kind: "level", rule, periodSeconds, isOneOfSeveral: levels > 1 };
}

interface NamedStep {
  readonly by: LevelOfRule;
  readonly name: string;
}

const namedSteps = new WeakMap<Plan, readonly NamedStep[]>();

/** The steps of a plan as what decides, with their names. */
export function namedStepsOf(plan: Plan): readonly NamedStep[] {
  return madeOnce(namedSteps, plan, () =>
    plan.steps.map((step) => {
      const by = deciderOf(step, plan);
      return { by, name: nameOf(by) };
    }),
  );
}

/** The answer for one request. */
export interface Verdict {
  /** Whether the request may pass: `pass` and `safelisted` do. */
  readonly outcome: Outcome;
  /**
   * HTTP status of the answer. 200 lets the request on; 403 if blocked, or what the rule's `response` says; 429 if throttled, or what the rule's `response` says;
   * 400 if a rule requires a Basic user and the Authorization header has none.
   */
  readonly status: number;
  /**
   * What decided: the key of the list entry, such as `blocklist:203.0.113.9`, a feed, such as `feed:scanners`, the key of the
   * customer's suspension, or the name of the rule, with the period of its level in seconds if it has several. Undefined on a pass, unless a rule exempts
   * the request.
   */
  readonly rule: string | undefined;
  /** The same as data. */
  readonly by?: DecidedBy | undefined;
  /**
   * The limit of the level that denied, in requests or in the unit of the cost. Undefined unless a rule denied the request by
   * its count; what is left on a pass is in `headers`.
   */
  readonly limit: number | undefined;
  /** What is left of that limit. Undefined whenever `limit` is. */
  readonly remaining: number | undefined;
  /** Seconds until no rule denies the client any more. Undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * Headers for the response, whatever the outcome, by lower-case names: `ratelimit-policy` and `ratelimit` (also on a pass),
   * and `retry-after` where waiting helps. They are made when they are read, so `{ ...verdict }` may lack them. What is left is what
   * this process knows: of a client that it meets for the first time, nothing but this request.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the rules in shadow mode that would have denied the request. Feeds in shadow are counted, and not named here. */
  readonly shadowed: readonly string[];
  /** What the policy says to clients that it denies so, if it has a message for them. */
  readonly message?: string | undefined;
  /** Set if the verdict is less than certain. */
  readonly trouble?: Trouble;
  /**
   * Of a denial: a text that names it, for the person who was denied. `sluice explain`, the console's look-up and the API read from it
   * when, where and why, also where no log has the request. No other program can read it. Sluice's own answers carry it as
   * `x-sluice-ref`. Undefined on a pass, and where Redis holds no key for references. It is made when it is read, so `{ ...verdict }` lacks it.
   */
  readonly reference?: string | undefined;
  /** What the rule that denied has counted, if that is neither the address nor the customer: a user, a header's value, … */
  readonly counted?: string | undefined;
  /** Something of the request is reserved until `settle`: a place of a rule with `concurrent`, or a count by its outcome. */
  readonly isOpen: boolean;
  /**
   * Ends what the request has reserved, once the response is known, and corrects its cost. A rule with `countWhen` counts the request
   * if it ended so. Whatever is not settled expires: a place after the level's period, a reservation after 60 s.
   *
   * The first call ends reservations; the first one with a `cost` corrects it. Never throws, and does nothing where nothing is open.
   * Middleware of Express, Fastify, Koa, Hono and plain Node settles with the response's status on its own.
   *
   * @example
   * const verdict = await guard.check({ ip, path: "/login", method: "POST" });
   * if (verdict.status === 200) await verdict.settle({ failed: !(await signIn(form)) });
   */
  settle(result?: RequestResult): Promise<void>;
  /** For statistics: what counts the address of this request for the scopes of its rules. */
  readonly seenBy?: SeenBy["broad"];
}

const undecided = {
  status: 200,
  rule: undefined,
  by: undefined,
  limit: undefined,
  remaining: undefined,
  retryAfterSeconds: undefined,
  headers: {},
  shadowed: [],
} as const;

/** Makes the reference of a denial. Undefined where the installation has no key for it any more. */
export type ReferenceMaker = () => string | undefined;

/** What a verdict has in common with all that leave nothing open: no property of its own. */
export class ClosedVerdict {
  #reference: ReferenceMaker | string | undefined;

  get reference(): string | undefined {
    if (typeof this.#reference === "function") this.#reference = this.#reference();
    return this.#reference;
  }

  /** Gives a denial its reference, which is made when it is read for the first time. */
  static refer(found: Verdict, make: ReferenceMaker | undefined): void {
    if (make && #reference in found) found.#reference = make;
  }

  get isOpen(): boolean {
    return false;
  }

  async settle(_?: RequestResult): Promise<void> {}
}

type VerdictFacts = Omit<Verdict, "isOpen" | "settle">;

const closed = (facts: VerdictFacts): Verdict => Object.assign(new ClosedVerdict(), facts);

/** The same facts, which are settled as the verdict is. */
const settledAs = (found: Verdict, facts: VerdictFacts): Verdict =>
  Object.defineProperties(closed(facts), {
    isOpen: { get: () => found.isOpen },
    settle: { value: (result?: RequestResult) => found.settle(result) },
  });

const passed: Verdict = closed({ ...undecided, outcome: "pass" });

export const verdict = {
  pass: (): Verdict => passed,
  unsure: (trouble: Trouble): Verdict => closed({ ...passed, trouble }),
  /** Trouble that is there already is the greater one. */
  withTrouble: (found: Verdict, trouble: Trouble): Verdict =>
    settledAs(found, { ...found, headers: found.headers, trouble: found.trouble ?? trouble }),
  safelisted: (entry: Ip | Cidr): Verdict => listed("safelist", entry),
  /** A rule requires a Basic user, and the Authorization header names none. */
  badRequest: (rule: Rule): Verdict => closed(deniedUncounted(rule, 400)),
  /** A rule that lets no request pass uncounted, while counts are unknown. */
  closed: (rule: Rule, trouble: Trouble): Verdict =>
    closed({
      ...deniedUncounted(rule, rule.response.status),
      retryAfterSeconds: 1,
      headers: { "retry-after": "1" },
      message: rule.response.message,
      trouble,
    }),
  blocked: (entry: Ip | Cidr): Verdict => listed("blocklist", entry),
  ofFeed: (match: FeedMatch): Verdict => new ListedVerdict(match.list, { kind: "feed", ...match }),
  suspended(customer: CustomerId, message: string | undefined): Verdict {
    const by = { kind: "suspension", customer } as const;
    return closed({ ...undecided, outcome: "blocked", status: 403, rule: nameOf(by), by, message });
  },
  /** A rule decides by what the request is. */
  ofRequest(decisive: RequestRule): Verdict {
    const { name, action, response } = decisive;
    const by = { kind: "request-rule", rule: name, action } as const;
    const decided = { ...undecided, rule: nameOf(by), by };
    return action === "exempt"
      ? closed({ ...decided, outcome: "pass" })
      : closed({
          ...decided,
          outcome: "blocked",
          status: denialStatus(decisive),
          message: response?.message,
        });
  },
  /** What is in shadow only counts. @param names of what would have denied the request */
  withShadowed(found: Verdict, names: readonly string[]): Verdict {
    const { headers, seenBy, shadowed } = found;
    return settledAs(found, { ...found, headers, seenBy, shadowed: [...names, ...shadowed] });
  },
};

const listed = (list: ListName, address: Ip | Cidr): Verdict =>
  new ListedVerdict(list, { kind: "entry", list, address });

function deniedUncounted({ name }: Rule, status: number): VerdictFacts {
  const by = { kind: "rule", rule: name } as const;
  return { ...undecided, outcome: "throttled", status, rule: nameOf(by), by };
}

/** Field by field, because under attack this is what a node does most. */
class ListedVerdict extends ClosedVerdict implements Verdict {
  readonly outcome: Outcome;
  readonly status: number;
  readonly rule: string;
  readonly by: DecidedBy;
  readonly limit = undefined;
  readonly remaining = undefined;
  readonly retryAfterSeconds = undefined;
  readonly headers = undecided.headers;
  readonly shadowed = undecided.shadowed;

  constructor(list: ListName, by: DecidedBy) {
    super();
    this.outcome = list === "safelist" ? "safelisted" : "blocked";
    this.status = list === "safelist" ? 200 : 403;
    this.rule = nameOf(by);
    this.by = by;
  }
}

export function isDenied({ outcome }: Verdict): boolean {
  return outcome === "blocked" || outcome === "throttled";
}

/** Whether a rule takes the request out of all limits. */
export function isExempt({ by }: Pick<Verdict, "by">): boolean {
  return by?.kind === "request-rule" && by.action === "exempt";
}
