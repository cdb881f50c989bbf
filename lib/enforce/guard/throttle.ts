import { DomainError } from "../../errors.ts";
import type { ClientAddress } from "../../ip/block.ts";
import { type CustomerId, clientOfId } from "../../redis/keys.ts";
import type { Bans } from "../bans/bans.ts";
import { costAt, denyAll, type Weighed } from "../limits/plan.ts";
import { newHold } from "../limits/wire-plan.ts";
import {
  type Caller,
  counts,
  countsAddresses,
  countsIds,
  type StoredLimits,
  withSuspension,
} from "../policy/client.ts";
import { CompiledPolicy, type CompileOptions, isCountedById, type Planned } from "../policy/compile.ts";
import type { Scope } from "../policy/match.ts";
import type { Ruling } from "../policy/request-rules.ts";
import type { Policy, Rule } from "../policy/schema.ts";
import type { StoredPolicy } from "../policy/stored.ts";
import { networkLength } from "../stats/fields.ts";
import type { CountersHealth } from "./counters.ts";
import { deadlineOf, inTime } from "./deadline.ts";
import type { RulesRead } from "./explain-rules.ts";
import type { FleetNode } from "./fleet-node.ts";
import type { Follower } from "./node-state.ts";
import {
  customerIdOf,
  decideCounted,
  decideUncounted,
  decideWithoutCounters,
  type Rules,
  type Settler,
  withRuling,
} from "./pipeline.ts";
import { type HeaderDialect, type HeaderWriter, headerWriter } from "./rate-limit-headers.ts";
import type { GuardRequest } from "./request.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** What it uses of the process. */
export interface ThrottleNode extends Pick<FleetNode, "knownPolicy" | "storedLimits" | "log"> {
  readonly odd: Pick<FleetNode["odd"], "meetIgnoredLimits">;
  readonly state: Pick<FleetNode["state"], "policy" | "digest" | "sharedOverrides" | "feeds" | "subscribe">;
  readonly reporter: Pick<
    FleetNode["reporter"],
    "countScopes" | "noteShadowed" | "noteExempt" | "noteSharedOverride" | "redisMs"
  >;
}

type ThrottleCounters = Pick<CountersHealth, "store" | "model" | "noteAnswered" | "noteUnavailable">;

/** The rules of the policy in force, on one request after the other. */
export class Throttle implements Follower, Rules<ClientAddress> {
  readonly #node: ThrottleNode;
  readonly #counters: ThrottleCounters;
  readonly #bans: Pick<Bans, "noteDenial"> | undefined;
  readonly #options: CompileOptions;
  readonly #logged = new Set<string>();
  /** Undefined until the policy is known. */
  #policy: CompiledPolicy | undefined;
  #countsCustomersWithOthers = false;
  readonly #unsubscribe: () => void;
  readonly #settler: Settler;
  readonly #write: HeaderWriter;

  constructor(
    node: ThrottleNode,
    counters: ThrottleCounters,
    bans: Pick<Bans, "noteDenial"> | undefined,
    { headers = "draft", ...options }: CompileOptions & { readonly headers?: HeaderDialect },
  ) {
    this.#node = node;
    this.#counters = counters;
    this.#bans = bans;
    this.#options = options;
    this.#settler = settlerOf(counters);
    this.#write = headerWriter(headers);
    if (node.state.policy) this.#policy = this.#compile(node.state.policy);
    this.#unsubscribe = node.state.subscribe(this);
  }

  get policy(): Policy | undefined {
    return this.#node.state.policy?.policy;
  }

  /** What another policy denied is no longer known. */
  onPolicy(stored: StoredPolicy): void {
    this.#policy = this.#compile(stored);
    this.forgetAll();
  }

  onCustomer(id: string): void {
    if (this.#countsCustomersWithOthers) {
      this.forgetAll();
      return;
    }
    const { denials, allowances } = this.#counters.store;
    for (const client of [id, clientOfId(id)]) {
      denials?.forgetClient(client);
      allowances?.forgetClient(client);
    }
  }

  onSharedOverrides(): void {
    this.forgetAll();
  }

  onReload(): void {
    this.forgetAll();
  }

  close(): void {
    this.#unsubscribe();
  }

  /** The customer, with the limits that the policy has for it. Undefined until the policy is known, unless it is suspended. */
  callerOf(
    id: CustomerId,
    limits: StoredLimits | undefined,
    request: Pick<GuardRequest, "tier" | "limits">,
  ): Caller | undefined {
    const caller = this.#policy?.callerOf(id, limits, request, this.#node.state.sharedOverrides.of(id));
    if (caller?.ignored) this.#node.odd.meetIgnoredLimits(caller.ignored);
    return withSuspension(caller, id, limits);
  }

  decide(
    request: GuardRequest,
    client: ClientAddress,
    caller: Caller | undefined,
    nowMs: number,
  ): Verdict | Promise<Verdict> {
    if (!this.#policy) return verdict.unsure("policy-unavailable");
    const asked = this.#policy.planFor(request, client, caller);
    if (!asked.ruling) return this.#decideByLimits(asked, nowMs, client);
    this.#noteRuling(asked.ruling, client, caller);
    return withRuling(this.#decideByLimits(asked, nowMs, client), asked.ruling);
  }

  #decideByLimits(asked: Planned, nowMs: number, client: ClientAddress): Verdict | Promise<Verdict> {
    const uncounted = decideUncounted(asked);
    if (uncounted) return uncounted;
    this.#noteCounted(asked, nowMs);
    const override = asked.caller?.limits?.name;
    if (override !== undefined) this.#node.reporter.noteSharedOverride(override, nowMs);
    return this.decidePlanned(asked, nowMs, client);
  }

  /** A denial is counted with its verdict. */
  #noteRuling({ decidedBy, shadowed }: Ruling, client: ClientAddress, caller: Caller | undefined): void {
    const { reporter } = this.#node;
    if (decidedBy?.action === "exempt") reporter.noteExempt(decidedBy.name);
    for (const { name, action } of shadowed) {
      if (action === "exempt") reporter.noteExempt(name);
      else reporter.noteShadowed(name, client.network(networkLength), caller?.id);
    }
  }

  /** The verdict of steps. @param client the address that they count, if it is one */
  decidePlanned(asked: Planned, nowMs: number, client?: ClientAddress): Verdict | Promise<Verdict> {
    const planned = asked.plan.isHeld ? { ...asked, hold: newHold() } : asked;
    const { denials, allowances, scales } = this.#counters.store;
    const known = denyAll(planned, scales.nowMicros) ?? denials?.find(planned, nowMs);
    if (known) return this.#deny(planned, known, client);
    const passed = allowances?.find(planned, nowMs, client);
    if (passed instanceof Promise) return passed.then((later) => this.#decideBy(planned, later, client));
    return this.#decideBy(planned, passed, client);
  }

  #decideBy(
    planned: Planned,
    passed: Weighed | undefined,
    client: ClientAddress | undefined,
  ): Verdict | Promise<Verdict> {
    return passed ? this.#decideCounted(planned, passed) : this.#weigh(planned, client);
  }

  #decideCounted(planned: Planned, weighed: Weighed): Verdict {
    const found = decideCounted(planned, weighed, this.#settler, this.#write);
    if (found.shadowed.length > 0) this.#noteShadowed(planned, weighed);
    return found;
  }

  /** What narrow scopes count: the rest is counted with the verdict. */
  #noteCounted(planned: Planned, nowMs: number): void {
    const { seenBy } = planned;
    if (seenBy.narrow.length === 0) return;
    const redisMs = this.#node.reporter.redisMs(nowMs);
    for (const { counter, step } of seenBy.narrow) {
      const client = planned.clients[step];
      const cost = costAt(planned, step);
      if (client !== undefined && cost > 0) counter.add(client, cost, redisMs);
    }
  }

  #noteShadowed({ plan, clients, caller }: Planned, { readings }: Weighed): void {
    let last: string | undefined;
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i];
      const client = clients[i];
      if (!step?.isShadowed || !readings[i]?.isOver || step.rule === last || client === undefined) continue;
      last = step.rule;
      this.#node.reporter.noteShadowed(step.rule, client, caller?.id);
    }
  }

  /** Of clients: what was denied and what they may use. */
  forgetAll(): void {
    const { denials, allowances } = this.#counters.store;
    denials?.clear();
    allowances?.clear();
  }

  async #weigh(planned: Planned, client: ClientAddress | undefined): Promise<Verdict> {
    const { scales, denials, allowances, opening } = this.#counters.store;
    // The first requests of a process may be faster than its connection.
    if (opening) await inTime(opening, deadlineOf());
    const weighed = await scales.weigh(planned);
    if (weighed.outcome === "unweighed") {
      this.#counters.noteUnavailable(weighed);
      const { model } = this.#counters;
      return decideWithoutCounters(planned, weighed, model.weighNow, model, this.#write);
    }
    this.#counters.noteAnswered();
    allowances?.learn(planned, weighed);
    if (weighed.deniedBy < 0) return this.#decideCounted(planned, weighed);
    denials?.remember(planned, weighed);
    return this.#deny(planned, weighed, client);
  }

  #deny(planned: Planned, weighed: Weighed, client: ClientAddress | undefined): Verdict {
    const rule = planned.rules[weighed.deniedBy];
    // A ban strikes the address, so it must be the address that went over.
    if (client && rule?.ban && !isCountedById(rule, planned)) this.#bans?.noteDenial(rule, client);
    return this.#decideCounted(planned, weighed);
  }

  /** What rules have counted for a request, without charging it. */
  async read(request: GuardRequest, client: ClientAddress): Promise<RulesRead> {
    const stored = await this.#node.knownPolicy();
    const policy = this.#policy;
    if (!stored || !policy) throw new DomainError("redis-unavailable", "The policy is not known yet.");
    const id = customerIdOf(request);
    const limits = id === undefined ? undefined : await this.#node.storedLimits(id, deadlineOf());
    const shared = id === undefined ? [] : this.#node.state.sharedOverrides.of(id);
    const caller = id && withSuspension(policy.callerOf(id, limits, request, shared), id, limits);
    const planned = policy.planFor(request, client, caller);
    const { store, model } = this.#counters;
    const weighed = await store.scales.read(planned);
    const { customerId } = request;
    const requestRules = policy.explainRequest(request, client, caller);
    return { policy: stored.policy, customerId, requestRules, planned, weighed, readModel: model.readNow };
  }

  #compile({ policy, unknownTimeZones = [] }: StoredPolicy): CompiledPolicy {
    const kept = policy.rules.filter((rule) => canCount(this.#counters.store, rule));
    const countScopes = (scopes: readonly Scope[]) => this.#node.reporter.countScopes(scopes);
    const { digest, feeds } = this.#node.state;
    const options = { ...this.#options, digest, countScopes, facts: feeds };
    const compiled = new CompiledPolicy({ ...policy, rules: kept }, options);
    this.#logOnce([
      ...refusalsOf(policy.rules.filter((rule) => !kept.includes(rule))),
      ...compiled.problems,
      ...unknownTimeZones.map(sayUnknownZone),
    ]);
    this.#countsCustomersWithOthers = kept.some(
      (rule) =>
        typeof rule.client !== "string" &&
        !countsAddresses(rule.client) &&
        (counts(rule.client, "customer") || countsIds(rule)),
    );
    return compiled;
  }

  /** Once each, however often the policy is read again. */
  #logOnce(problems: readonly string[]): void {
    for (const problem of problems) {
      if (!this.#logged.has(problem)) this.#node.log(`sluice: ${problem}.`);
      this.#logged.add(problem);
    }
  }
}

const sayUnknownZone = (zone: string) =>
  `this process does not know time zone ${zone}: levels for its days and months count windows of 1 and 31 days`;

/** What a client has used is different from what this process knows, once a cost was corrected. */
function settlerOf({ store }: ThrottleCounters): Settler {
  return {
    nowMicros: () => store.scales.nowMicros(),
    settle: (settlement, atMicros) => store.scales.settle(settlement, atMicros),
    async correct(request, differences, atMicros) {
      const isLess = differences.some((difference) => difference < 0);
      store.allowances?.sendOf(request);
      await store.scales.correct(request, differences, atMicros);
      for (const client of new Set(request.clients)) {
        store.allowances?.forgetClient(client);
        if (isLess) store.denials?.forgetClient(client);
      }
    },
  };
}

/** Whether the counters can keep what the rule counts. */
export function canCount(
  { keepsFixedWindowsOnly }: Pick<CountersHealth["store"], "keepsFixedWindowsOnly">,
  { algorithm, countWhen }: Rule,
): boolean {
  return !keepsFixedWindowsOnly || (algorithm === "fixed" && !countWhen);
}

/** Why counters cannot keep what the rule counts. */
export function sayUncounted({ algorithm, countWhen }: Rule): string {
  return `memcached keeps fixed windows only, and it ${countWhen ? "counts by outcome" : `is ${algorithm}`}`;
}

function refusalsOf(rules: readonly Rule[]): string[] {
  return rules.map((rule) => `rule ${rule.name} is not enforced here: ${sayUncounted(rule)}`);
}
