import type { Bans } from "../bans/bans.ts";
import { isCustomerId } from "../customers/id.ts";
import type { Block } from "../ip/block.ts";
import type { Load, Plan, Unweighed, Weighed } from "../limits/plan.ts";
import { counts } from "../policy/client.ts";
import { CompiledPolicy, type CompileOptions, type Planned } from "../policy/compile.ts";
import type { Rule } from "../policy/schema.ts";
import type { StoredPolicy } from "../policy/stored.ts";
import type { Counters } from "./counters.ts";
import type { RulesRead } from "./explain-rules.ts";
import type { FleetNode, Follower } from "./fleet-node.ts";
import type { GuardRequest } from "./guard.ts";
import { nameOf, rateLimitHeaders, remainingOf } from "./rate-limit-headers.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** The rules of the policy in force, on one request after the other. */
export class Throttle implements Follower {
  readonly #node: FleetNode;
  readonly #counters: Counters;
  readonly #bans: Bans | undefined;
  readonly #options: CompileOptions;
  readonly #told = new Set<string>();
  #policy: CompiledPolicy;
  #countsCustomersWithOthers = false;

  constructor(node: FleetNode, counters: Counters, bans: Bans | undefined, options: CompileOptions) {
    this.#node = node;
    this.#counters = counters;
    this.#bans = bans;
    this.#options = options;
    this.#policy = this.#compile(node.policy);
    node.followers.add(this);
  }

  /** The kill switch: nothing bites, lists neither. */
  get isOff(): boolean {
    return this.#node.policy.policy.mode === "off";
  }

  /** What another policy denied is no longer known. */
  onPolicy(stored: StoredPolicy): void {
    this.#policy = this.#compile(stored);
    this.#counters.store.denials.clear();
  }

  onCustomer(id: string): void {
    if (this.#countsCustomersWithOthers) this.#counters.store.denials.clear();
    else this.#counters.store.denials.forgetClient(id);
  }

  close(): void {
    this.#node.followers.delete(this);
  }

  /** At once, unless somebody has to be asked: a promise is dear where Next tracks each. */
  decide(request: GuardRequest, client: Block): Verdict | Promise<Verdict> {
    const planned = this.#plan(request, client);
    return planned instanceof Promise
      ? planned.then((found) => this.#decidePlanned(found, client))
      : this.#decidePlanned(planned, client);
  }

  #decidePlanned(planned: Planned, client: Block): Verdict | Promise<Verdict> {
    if (planned.badRequest) return verdict.badRequest(planned.badRequest);
    if (planned.plan.steps.length === 0) return verdict.pass();
    const known = this.#counters.store.denials.find(planned);
    return known ? this.#deny(planned, known, client) : this.#weigh(planned, client);
  }

  async #weigh(planned: Planned, client: Block): Promise<Verdict> {
    const weighed = await this.#counters.store.scales.weigh(planned);
    if (weighed.outcome === "unweighed") return this.#withoutCounters(planned, weighed);
    this.#counters.meet();
    if (weighed.deniedBy < 0) return answer(planned, weighed);
    this.#counters.store.denials.remember(planned, weighed);
    return this.#deny(planned, weighed, client);
  }

  #deny(planned: Planned, weighed: Weighed, client: Block): Verdict {
    const rule = planned.rules[weighed.deniedBy];
    if (rule?.ban) this.#bans?.noteDenial(rule, client);
    return answer(planned, weighed);
  }

  /** The same without counting anything; nothing when counts cannot be known. */
  async read(request: GuardRequest, client: Block): Promise<RulesRead> {
    const planned = await this.#plan(request, client);
    const weighed = await this.#counters.store.scales.read(planned);
    return { mode: this.#node.policy.policy.mode, planned, weighed };
  }

  #plan(request: GuardRequest, client: Block): Planned | Promise<Planned> {
    const { customerId } = request;
    if (typeof customerId !== "string" || !isCustomerId(customerId))
      return this.#policy.planFor(request, client);
    const standing = this.#node.standing(customerId);
    if (!(standing instanceof Promise)) return this.#policy.planFor(request, client, customerId, standing);
    return standing.then((found) => this.#policy.planFor(request, client, customerId, found));
  }

  #compile({ policy }: StoredPolicy): CompiledPolicy {
    const { keepsFixedWindowsOnly } = this.#counters.store;
    const kept = keepsFixedWindowsOnly
      ? policy.rules.filter(({ algorithm }) => algorithm === "fixed")
      : policy.rules;
    const compiled = new CompiledPolicy({ ...policy, rules: kept }, this.#options);
    this.#tell([...refusalsOf(policy.rules.filter((rule) => !kept.includes(rule))), ...compiled.problems]);
    this.#countsCustomersWithOthers = kept.some(
      ({ client }) => client !== "customer" && counts(client, "customer"),
    );
    return compiled;
  }

  /** Once each, however often the policy is read again. */
  #tell(problems: readonly string[]): void {
    for (const problem of problems) {
      if (!this.#told.has(problem)) this.#node.log(`sluice: ${problem}.`);
      this.#told.add(problem);
    }
  }

  /** Each rule says what to do while its counts cannot be known. The strictest answer is given. */
  #withoutCounters(planned: Planned, missing: Unweighed): Verdict {
    this.#counters.miss(missing);
    const trouble = `counters-${missing.reason}` as const;
    const closed = planned.rules.find((rule, i) => rule.onStoreError === "closed" && isInForce(planned, i));
    if (closed) return verdict.closed(closed, trouble);
    const modelled = onModel(planned);
    if (modelled.plan.steps.length === 0) return verdict.unsure(trouble);
    return { ...answer(modelled, this.#counters.model.weighNow(modelled)), trouble };
  }
}

function refusalsOf(rules: readonly Rule[]): string[] {
  return rules.map(
    ({ name, algorithm }) =>
      `rule ${name} is not enforced here: memcached keeps fixed windows only, and it is ${algorithm}`,
  );
}

function answer(planned: Planned, weighed: Weighed): Verdict {
  const { plan, costs, rules } = planned;
  const { readings, deniedBy } = weighed;
  const shadowed = namesOver(plan, weighed);
  const headers = rateLimitHeaders(plan, readings, costs, deniedBy >= 0);
  const step = plan.steps[deniedBy];
  const reading = readings[deniedBy];
  const rule = rules[deniedBy];
  if (!step || !reading || !rule) return { ...verdict.pass(), headers, shadowed };
  const retryAfterSeconds = Math.max(1, Math.ceil(clearInMs(plan, readings) / 1_000));
  return {
    outcome: "throttled",
    status: rule.response.status,
    rule: nameOf(step, plan),
    limit: step.limit,
    remaining: remainingOf(step, reading, costs[deniedBy] ?? 1),
    retryAfterSeconds,
    headers: { ...headers, "retry-after": String(retryAfterSeconds) },
    shadowed,
    message: rule.response.message,
    ...(isTelling(rule) && { counted: planned.clients[deniedBy] }),
  };
}

const isTelling = ({ client }: Rule) => client !== "ip" && client !== "customer";

/** Until nothing in force denies any more: an earlier retry would only be denied by the next level. */
function clearInMs({ steps }: Plan, readings: Weighed["readings"]): number {
  let longest = 0;
  for (let i = 0; i < steps.length; i++) {
    const reading = readings[i];
    if (reading?.isOver && !steps[i]?.isShadowed) longest = Math.max(longest, reading.resetMs);
  }
  return longest;
}

function namesOver({ steps }: Plan, { readings }: Weighed): readonly string[] {
  let names: string[] | undefined;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (!step?.isShadowed || !readings[i]?.isOver) continue;
    names ??= [];
    names.push(step.rule);
  }
  return names ?? none;
}

const none: readonly string[] = Object.freeze([]);

const isInForce = ({ plan }: Load, step: number) => plan.steps[step]?.isShadowed === false;

const modelPlans = new WeakMap<Plan, Plan>();

/** The part of a request that is counted in this process while the counters are away. */
function onModel({ plan, clients, costs, rules, badRequest }: Planned): Planned {
  const kept = plan.steps.flatMap((_, i) => (rules[i]?.onStoreError === "model" ? [i] : []));
  const pick = <T>(from: readonly T[]) => kept.flatMap((i) => from.slice(i, i + 1));
  const known = modelPlans.get(plan) ?? { steps: pick(plan.steps) };
  modelPlans.set(plan, known);
  return { plan: known, clients: pick(clients), costs: pick(costs), rules: pick(rules), badRequest };
}
