import type { Block } from "../ip/block.ts";
import type { Load } from "../limits/plan.ts";
import type { CustomerId } from "../redis/keys.ts";
import { largestLimit } from "./bounds.ts";
import { Branch, type Levels } from "./branch.ts";
import { type ClientFunctions, type Identify, identifier } from "./identify.ts";
import type { Level } from "./levels.ts";
import { isForApp, matcher } from "./match.ts";
import type { RuledRequest } from "./request.ts";
import type { Policy, Rule } from "./schema.ts";
import type { Standing } from "./standing.ts";
import { Subject } from "./subject.ts";

/** What is to be weighed for one request. */
export interface Planned extends Load {
  /** The rule of each step. */
  readonly rules: readonly Rule[];
  /** A rule in force wants a Basic user and met an Authorization header that names none: the answer is 400. */
  readonly badRequest: Rule | undefined;
}

export interface CompileOptions {
  readonly app: string;
  readonly clients?: ClientFunctions;
}

interface Compiled {
  readonly place: number;
  readonly rule: Rule;
  readonly levels: Levels | undefined;
  readonly cost: number | undefined;
  readonly isShadowed: boolean;
  readonly isFor: ReturnType<typeof matcher>;
  readonly identify: Identify;
}

/** Overrides can ask for any number of plans; past this many they are made anew. */
const mostBranches = 10_000;

/** A policy made ready for one app: what it asks of a request is answered without a pattern or a round trip. */
export class CompiledPolicy {
  /** Rules that cannot be weighed here, and why, for operators. */
  readonly problems: readonly string[];
  readonly #rules: readonly Compiled[];
  readonly #tiers: ReadonlyMap<string, readonly Level[]>;
  #root = new Branch([], []);
  #branches = 0;

  constructor(policy: Policy, { app, clients = {} }: CompileOptions) {
    const problems: string[] = [];
    this.#tiers = new Map(Object.entries(policy.tiers).map(([name, { levels }]) => [name, levels]));
    this.#rules = policy.rules.flatMap((rule, place) => {
      if (policy.mode === "off" || rule.mode === "off" || !isForApp(rule.match, app)) return [];
      const identify = identifier(rule, clients);
      if (identify) return [compiled(place, rule, identify, policy.mode === "shadow")];
      problems.push(
        `rule ${rule.name} counts by code that app ${app} does not give: see createGuard({ clients })`,
      );
      return [];
    });
    this.problems = problems;
  }

  /** The steps that a request goes through. A customer whom the policy knows neither a tier nor levels of is anonymous. */
  planFor(request: RuledRequest, address: Block, customer?: CustomerId, standing?: Standing): Planned {
    const own = standing && this.#levelsOf(standing);
    const isCustomer = customer !== undefined && own !== undefined;
    const subject = new Subject(request, address, isCustomer ? customer : undefined);
    let branch = this.#root;
    const clients: string[] = [];
    const costs: number[] = [];
    for (const rule of this.#rules) {
      if (!rule.isFor(subject, isCustomer)) continue;
      if (rule.rule.requireBasic && subject.user === false && !rule.isShadowed) return refused(rule.rule);
      const levels = rule.levels ?? own;
      const client = levels && rule.identify(subject);
      if (client === undefined || levels === undefined) continue;
      branch = branch.to(rule.place, levels) ?? this.#grow(branch, rule, levels);
      const cost = rule.cost ?? costOf(request);
      for (let i = 0; i < levels.length; i++) {
        clients.push(client);
        costs.push(cost);
      }
    }
    return { plan: branch.plan, rules: branch.rules, clients, costs, badRequest: undefined };
  }

  /** An override replaces its customer's tier levels. */
  #levelsOf({ override, tier }: Standing): readonly Level[] | undefined {
    return override ?? (tier === undefined ? undefined : this.#tiers.get(tier));
  }

  #grow(branch: Branch, { place, rule, isShadowed }: Compiled, levels: Levels): Branch {
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

/** What the app says; nonsense costs what any request does. */
function costOf({ cost }: RuledRequest): number {
  return cost !== undefined && Number.isSafeInteger(cost) && cost >= 1 ? Math.min(cost, largestLimit + 1) : 1;
}

const nothing = { plan: { steps: [] }, rules: [], clients: [], costs: [] } as const;

function refused(badRequest: Rule): Planned {
  return { ...nothing, badRequest };
}
