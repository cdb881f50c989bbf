import type { ClientAddress } from "../../ip/block.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { CountedRequest, Plan, Step } from "../limits/plan.ts";
import { chargedCost } from "./bounds.ts";
import { type Caller, countsIds, type Limits, limitsOf, type StoredLimits } from "./client.ts";
import { type ClientFunctions, type Digest, type Identify, identifier } from "./identify.ts";
import { type Level, type RateLevel, stepOf } from "./levels.ts";
import { isForApp, matcher } from "./match.ts";
import { type RuledRequest, Subject } from "./request.ts";
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
  /** By the rule's place in the policy, then by its levels. */
  readonly #next: (Map<RuleLevels, Branch> | undefined)[] = [];
  /** By the rule's place alone: most rules have the same levels for everyone. */
  readonly #last: ({ readonly levels: RuleLevels; readonly branch: Branch } | undefined)[] = [];

  constructor(steps: readonly Step[], rules: readonly Rule[]) {
    this.plan = { steps };
    this.rules = rules;
    this.ones = Object.freeze(steps.map(() => 1));
  }

  to(place: number, levels: RuleLevels): Branch | undefined {
    const last = this.#last[place];
    if (last?.levels === levels) return last.branch;
    const branch = this.#next[place]?.get(levels);
    if (branch) this.#last[place] = { levels, branch };
    return branch;
  }

  grow(place: number, rule: Rule, levels: RuleLevels, isShadowed: boolean): Branch {
    const steps = levels.map((level) => stepOf(rule, level, isShadowed));
    const rules = levels.map(() => rule);
    const branch = new Branch([...this.plan.steps, ...steps], [...this.rules, ...rules]);
    const next = this.#next[place] ?? new Map<RuleLevels, Branch>();
    this.#next[place] = next.set(levels, branch);
    return branch;
  }
}

/** What is to be weighed for one request. */
export interface Planned extends CountedRequest {
  /** The rule of each step. */
  readonly rules: readonly Rule[];
  /** A rule in force wants a Basic user and met an Authorization header that names none: the answer is 400. */
  readonly badRequest: Rule | undefined;
  /** The signed-in customer. Undefined where the app names none. */
  readonly caller: Caller | undefined;
}

/** Whether a rule counted the customer by its id in place of its address. */
export function isCountedById(rule: Rule, { caller }: Planned): boolean {
  return caller !== undefined && caller.limits === undefined && countsIds(rule);
}

export interface CompileOptions {
  readonly app: string;
  readonly clients?: ClientFunctions;
  /** What values of headers and cookies are counted by; as they are if undefined. */
  readonly digest?: Digest | undefined;
}

interface Compiled {
  readonly place: number;
  readonly rule: Rule;
  readonly levels: RuleLevels | undefined;
  readonly cost: number | undefined;
  readonly isShadowed: boolean;
  readonly isFor: ReturnType<typeof matcher>;
  readonly identify: Identify;
}

/** Overrides can ask for any number of plans; past this many they are made again. */
const mostBranches = 10_000;

/** A policy made ready for one app: what it asks of a request is answered without a pattern or a round trip. */
export class CompiledPolicy {
  /** Rules that cannot be weighed here, and why, for operators. */
  readonly problems: readonly string[];
  readonly #rules: readonly Compiled[];
  readonly #policy: Policy;
  readonly #limitsOfTier: ReadonlyMap<string | undefined, Limits | undefined>;
  readonly #otherLimits: Limits | undefined;
  #root = new Branch([], []);
  #branches = 0;
  #collected: { readonly clients: string[]; readonly costs: number[] } | undefined;

  constructor(policy: Policy, { app, clients = {}, digest }: CompileOptions) {
    const problems: string[] = [];
    this.#policy = policy;
    const tiers = Object.keys(policy.tiers);
    this.#limitsOfTier = new Map(tiers.map((tier) => [tier, limitsOf(policy, { tier })]));
    this.#otherLimits = limitsOf(policy, undefined);
    this.#rules = policy.rules.flatMap((rule, place) => {
      if (policy.mode === "off" || rule.mode === "off" || !isForApp(rule.match, app)) return [];
      const identify = identifier(rule, { functions: clients, digest });
      if (identify) return [compiled(place, rule, identify, policy.mode === "shadow")];
      problems.push(
        `rule ${rule.name} counts by code that app ${app} does not give: see createGuard({ clients })`,
      );
      return [];
    });
    this.problems = problems;
  }

  /** A signed-in customer with the limits that the policy has for it. */
  callerOf(id: CustomerId, stored: StoredLimits | undefined): Caller {
    const limits = stored?.override
      ? limitsOf(this.#policy, stored)
      : (this.#limitsOfTier.get(stored?.tier) ?? this.#otherLimits);
    return { id, limits };
  }

  /** The steps that a request goes through. A customer without limits of its own is as good as anonymous, under its id. */
  planFor(request: RuledRequest, address: ClientAddress, caller?: Caller): Planned {
    const own = caller?.limits?.levels;
    const subject = new Subject(request, address, caller);
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
        return refused(rule.rule, caller);
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
    };
  }

  #grow(branch: Branch, { place, rule, isShadowed }: Compiled, levels: RuleLevels): Branch {
    if (++this.#branches > mostBranches) {
      this.#root = new Branch([], []);
      this.#branches = 1;
    }
    return branch.grow(place, rule, levels, isShadowed);
  }
}

function compiled(place: number, rule: Rule, identify: Identify, isAllShadowed: boolean): Compiled {
  return {
    place,
    rule,
    levels: rule.levels === "tier" ? undefined : rule.levels,
    cost: rule.cost === "request" ? undefined : rule.cost,
    isShadowed: isAllShadowed || rule.mode === "shadow",
    isFor: matcher(rule.match),
    identify,
  };
}

const nothing = { plan: { steps: [] }, rules: [], clients: [], costs: [] } as const;

function refused(badRequest: Rule, caller: Caller | undefined): Planned {
  return { ...nothing, badRequest, caller };
}
