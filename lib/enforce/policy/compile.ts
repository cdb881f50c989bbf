import type { ClientAddress } from "../../ip/block.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { planOf } from "../algorithms/algorithms.ts";
import type { CountedRequest, Plan, Step } from "../limits/plan.ts";
import { chargedCost, mostLevels, problemsOf, sayProblems } from "./bounds.ts";
import {
  type Caller,
  countsIds,
  type IgnoredLimits,
  type Limits,
  limitsOf,
  type SharedOverride,
  type StoredLimits,
  sharedLimits,
} from "./client.ts";
import { type ClientFunctions, type Digest, type Identify, identifier } from "./identify.ts";
import { type Level, plainLevelsSchema, type RateLevel, stepOf } from "./levels.ts";
import { isForApp, matcher, type Scope, type ScopeCounter, scopeOf } from "./match.ts";
import { type RuledRequest, Subject } from "./request.ts";
import {
  type RequestRuleReading,
  RequestRules,
  type RequestSurroundings,
  type Ruling,
} from "./request-rules.ts";
import type { Policy, Rule } from "./schema.ts";

export type RuleLevels = readonly (Level | RateLevel)[];

/**
 * The plan of some rules in order, and the way to the plan of one more. Requests that take the same way share a plan,
 * so that they are weighed together.
 */
export class Branch {
  readonly plan: Plan;
  /** The rule of each step. */
  readonly rules: readonly Rule[];
  /** The costs of a request that costs one at each step. */
  readonly ones: readonly number[];
  /** Statistics of what these rules count. */
  readonly seenBy: SeenBy;
  /** By the rule's place in the policy, then by its levels. */
  readonly #next: (Map<RuleLevels, Branch> | undefined)[] = [];
  /** By the rule's place alone: most rules have the same levels for everyone. */
  readonly #last: ({ readonly levels: RuleLevels; readonly branch: Branch } | undefined)[] = [];

  constructor(steps: readonly Step[], rules: readonly Rule[], seenBy: SeenBy = unseen) {
    this.plan = planOf(steps);
    this.rules = rules;
    this.seenBy = seenBy;
    this.ones = Object.freeze(steps.map(() => 1));
  }

  to(place: number, levels: RuleLevels): Branch | undefined {
    const last = this.#last[place];
    if (last?.levels === levels) return last.branch;
    const branch = this.#next[place]?.get(levels);
    if (branch) this.#last[place] = { levels, branch };
    return branch;
  }

  grow({ place, rule, isShadowed, counter }: GrowingRule, levels: RuleLevels): Branch {
    const steps = levels.map((level) => stepOf(rule, level, isShadowed));
    const rules = levels.map(() => rule);
    const seenBy = withCounter(this.seenBy, counter, this.rules.length);
    const branch = new Branch([...this.plan.steps, ...steps], [...this.rules, ...rules], seenBy);
    const next = this.#next[place] ?? new Map<RuleLevels, Branch>();
    this.#next[place] = next.set(levels, branch);
    return branch;
  }
}

type GrowingRule = Pick<Compiled, "place" | "rule" | "isShadowed" | "counter">;

/** What statistics count of a request for the scopes of its rules, each scope once. */
export interface SeenBy {
  /** With a step of the scope: its client and its cost are what is counted. */
  readonly narrow: readonly { readonly counter: ScopeCounter; readonly step: number }[];
  /** Those that count the address. Undefined if there is none. */
  readonly broad: readonly ScopeCounter[] | undefined;
}

const unseen: SeenBy = { narrow: [], broad: undefined };

function withCounter(seenBy: SeenBy, counter: ScopeCounter | undefined, step: number): SeenBy {
  const { narrow, broad = [] } = seenBy;
  if (!counter || broad.includes(counter) || narrow.some((one) => one.counter === counter)) return seenBy;
  return counter.scope.isBroad
    ? { narrow, broad: [...broad, counter] }
    : { ...seenBy, narrow: [...narrow, { counter, step }] };
}

/** What is to be weighed for one request. */
export interface Planned extends CountedRequest {
  /** The rule of each step. */
  readonly rules: readonly Rule[];
  /** A rule in force wants a Basic user and met an Authorization header that names none: the answer is 400. */
  readonly badRequest: Rule | undefined;
  /** The signed-in customer. Undefined where the app names none. */
  readonly caller: Caller | undefined;
  readonly seenBy: SeenBy;
  /** Of request rules. Undefined where none matches. Where one decides, nothing is weighed. */
  readonly ruling?: Ruling | undefined;
}

/** Whether a rule counted the customer by its id in place of its address. */
export function isCountedById(rule: Rule, { caller }: Planned): boolean {
  return caller !== undefined && caller.limits === undefined && countsIds(rule);
}

export interface CompileOptions extends RequestSurroundings {
  readonly clients?: ClientFunctions;
  /** What values of headers and cookies are counted by; as they are if undefined. */
  readonly digest?: Digest | undefined;
  /** The counters of these scopes, in statistics. Nothing is counted for them if undefined. */
  readonly countScopes?: ((scopes: readonly Scope[]) => ReadonlyMap<string, ScopeCounter>) | undefined;
}

interface Compiled {
  readonly place: number;
  readonly rule: Rule;
  readonly levels: RuleLevels | undefined;
  readonly cost: number | undefined;
  readonly isShadowed: boolean;
  readonly isFor: ReturnType<typeof matcher>;
  readonly identify: Identify;
  /** Undefined for a rule of whose clients no statistics are kept. */
  readonly counter: ScopeCounter | undefined;
}

const noShared: readonly SharedOverride[] = Object.freeze([]);

/** Overrides can ask for any number of plans; past this many they are made again. */
const mostBranches = 10_000;

/** A policy made ready for one app: what it asks of a request is answered without a pattern or a round trip. */
export class CompiledPolicy {
  /** Rules that cannot be weighed here, and why, for operators. */
  readonly problems: readonly string[];
  readonly #rules: readonly Compiled[];
  /** Undefined without any: most policies have none. */
  readonly #requestRules: RequestRules | undefined;
  readonly #policy: Policy;
  readonly #limitsOfTier: ReadonlyMap<string | undefined, Limits | undefined>;
  /** By the tier that the app's session gives. */
  readonly #limitsOfSession: ReadonlyMap<unknown, Limits | undefined>;
  readonly #sessionLimits = new Map<string, SessionLevels>();
  readonly #otherLimits: Limits | undefined;
  #root = new Branch([], []);
  #branches = 0;
  #collected: { readonly clients: string[]; readonly costs: number[] } | undefined;

  constructor(policy: Policy, options: CompileOptions) {
    const { app, clients = {}, digest, countScopes } = options;
    const problems: string[] = [];
    const requestRules = new RequestRules(policy.requestRules ?? [], policy.mode, options);
    this.#requestRules = requestRules.size > 0 ? requestRules : undefined;
    this.#policy = policy;
    const tiers = Object.keys(policy.tiers);
    this.#limitsOfTier = new Map(tiers.map((tier) => [tier, limitsOf(policy, { tier })]));
    this.#limitsOfSession = new Map(tiers.map((tier) => [tier, limitsOf(policy, undefined, { tier })]));
    this.#otherLimits = limitsOf(policy, undefined);
    const isOn = (rule: Rule) => policy.mode !== "off" && rule.mode !== "off" && isForApp(rule.match, app);
    const counters = countScopes?.(scopesOf(policy.rules.filter(isOn)));
    this.#rules = policy.rules.flatMap((rule, place) => {
      if (!isOn(rule)) return [];
      const identify = identifier(rule, { functions: clients, digest });
      if (identify) {
        const counter = counters?.get(scopeOf(rule)?.key ?? "");
        return [compiled({ place, rule, identify, counter, isShadowed: policy.mode === "shadow" })];
      }
      problems.push(
        `rule ${rule.name} counts by code that app ${app} does not give: see createGuard({ clients })`,
      );
      return [];
    });
    this.problems = problems;
  }

  /**
   * A signed-in customer with the limits that the policy has for it.
   * @param given what the app's session says of it, with the request
   * @param shared overrides of groups and patterns that have it, in the order in which they win
   */
  callerOf(
    id: CustomerId,
    stored: StoredLimits | undefined,
    given: Pick<RuledRequest, "tier" | "limits"> = {},
    shared: readonly SharedOverride[] = noShared,
  ): Caller {
    if (stored?.override) return { id, limits: limitsOf(this.#policy, stored) };
    const ofMany = shared.length === 0 ? undefined : sharedLimits(this.#policy, shared);
    if (ofMany) return { id, limits: ofMany };
    if (given.limits === undefined && given.tier === undefined)
      return { id, limits: this.#limitsOfTier.get(stored?.tier) ?? this.#otherLimits };
    const own = given.limits === undefined ? undefined : this.#readSessionLimits(given.limits);
    if (own?.limits) return { id, limits: own.limits };
    const limits = this.#limitsOfTier.get(stored?.tier) ?? this.#limitsOfSession.get(given.tier);
    if (limits && !own) return { id, limits };
    const ignored: IgnoredLimits = own
      ? { field: "limits", says: own.problem }
      : { field: "tier", says: sayUnknownTier(given.tier) };
    return { id, limits: limits ?? this.#otherLimits, ignored };
  }

  /** Equal levels are one list. Some of them are remembered, so that no session makes the process grow. */
  #readSessionLimits(levels: unknown): SessionLevels {
    const text = textOfLevels(levels);
    const known = this.#sessionLimits.get(text);
    if (known) return known;
    if (this.#sessionLimits.size >= mostSessionLimits) this.#sessionLimits.clear();
    const read = readSessionLevels(levels);
    this.#sessionLimits.set(text, read);
    return read;
  }

  /** The steps that a request goes through. A customer without limits of its own is as good as anonymous, under its id. */
  planFor(request: RuledRequest, address: ClientAddress, caller?: Caller): Planned {
    const own = caller?.limits?.levels;
    const subject = new Subject(request, address, caller);
    const ruling = this.#requestRules?.find(subject);
    if (ruling?.decidedBy) return { ...nothing, badRequest: undefined, caller, ruling };
    let branch = this.#root;
    // An array that grows has room for more than a request needs, so its items are collected in one that is used again: not by an
    // app's own function in between, which may check another request.
    const { clients, costs } = this.#collected ?? { clients: [], costs: [] };
    this.#collected = undefined;
    let steps = 0;
    let isOne = true;
    for (const rule of this.#rules) {
      if (!rule.isFor(subject, subject.isCustomer)) continue;
      if (rule.rule.requireBasic && subject.user === false && !rule.isShadowed)
        return { ...nothing, badRequest: rule.rule, caller, ruling };
      const levels = rule.levels ?? own;
      const client = levels && rule.identify(subject);
      if (client === undefined || levels === undefined) continue;
      branch = branch.to(rule.place, levels) ?? this.#grow(branch, rule, levels);
      const cost = rule.cost ?? chargedCost(request.cost);
      isOne &&= cost === 1;
      for (let i = 0; i < levels.length; i++) {
        clients[steps] = client;
        costs[steps] = cost;
        steps++;
      }
    }
    this.#collected = { clients, costs };
    const { plan, rules, ones } = branch;
    return {
      plan,
      rules,
      clients: clients.slice(0, steps),
      costs: isOne ? ones : costs.slice(0, steps),
      badRequest: undefined,
      caller,
      seenBy: branch.seenBy,
      ruling,
    };
  }

  /** Every rule that could deny or exempt the request, and why it does or does not. */
  explainRequest(
    request: RuledRequest,
    address: ClientAddress,
    caller?: Caller,
  ): readonly RequestRuleReading[] {
    return this.#requestRules?.explain(new Subject(request, address, caller)) ?? [];
  }

  #grow(branch: Branch, rule: Compiled, levels: RuleLevels): Branch {
    if (++this.#branches > mostBranches) {
      this.#root = new Branch([], []);
      this.#branches = 1;
    }
    return branch.grow(rule, levels);
  }
}

function compiled(given: Omit<Compiled, "levels" | "cost" | "isFor">): Compiled {
  const { rule, isShadowed } = given;
  return {
    ...given,
    levels: rule.levels === "tier" ? undefined : rule.levels,
    cost: rule.cost === "request" ? undefined : rule.cost,
    isShadowed: isShadowed || rule.mode === "shadow",
    isFor: matcher(rule.match),
  };
}

/** Different limits of the app's sessions that are remembered. Beyond them, sharing starts again. */
const mostSessionLimits = 10_000;

/** Limits of an app's session, or why the policy cannot use them. */
type SessionLevels =
  | { readonly limits: Limits; readonly problem?: undefined }
  | { readonly limits?: undefined; readonly problem: string };

/** The same for equal levels. Empty for what is no list of levels. */
function textOfLevels(levels: unknown): string {
  if (!Array.isArray(levels) || levels.length > mostLevels) return "";
  let text = "";
  for (const level of levels) {
    if (typeof level?.limit !== "number" || typeof level.periodSeconds !== "number") return "";
    text += `${level.periodSeconds}:${level.limit},`;
  }
  return text;
}

function readSessionLevels(levels: unknown): SessionLevels {
  const parsed = plainLevelsSchema.safeParse(levels);
  return parsed.success
    ? { limits: { levels: parsed.data, from: "session-limits" } }
    : { problem: sayProblems(problemsOf(parsed.error, "the list")) };
}

function sayUnknownTier(tier: unknown): string {
  const shown = typeof tier === "string" ? JSON.stringify(tier.slice(0, 40)) : `a ${typeof tier}`;
  return `the policy has no tier ${shown}`;
}

/** Scopes of an app that statistics count clients for. */
export const mostScopes = 12;

/** Each scope once, in the order of the rules, with the shortest buckets that one of its rules has. */
function scopesOf(rules: readonly Rule[]): Scope[] {
  const scopes = new Map<string, Scope>();
  for (const rule of rules) {
    const scope = scopeOf(rule);
    if (scope && scopes.get(scope.key)?.seconds !== 10) scopes.set(scope.key, scope);
  }
  return [...scopes.values()].slice(0, mostScopes);
}

const nothing = { plan: { steps: [] }, rules: [], clients: [], costs: [], seenBy: unseen } as const;
