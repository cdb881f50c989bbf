import { DomainError } from "../../errors.ts";
import type { ClientAddress } from "../../ip/block.ts";
import { type CustomerId, clientOfId } from "../../redis/keys.ts";
import type { Bans } from "../bans/bans.ts";
import type { Weighed } from "../limits/plan.ts";
import { type Caller, counts, countsIds, type StoredLimits } from "../policy/client.ts";
import { CompiledPolicy, type CompileOptions, isCountedById, type Planned } from "../policy/compile.ts";
import type { Rule } from "../policy/schema.ts";
import type { StoredPolicy } from "../policy/stored.ts";
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
} from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** The rules of the policy in force, on one request after the other. */
export class Throttle implements Follower, Rules<Verdict | Promise<Verdict>> {
  readonly #node: FleetNode;
  readonly #counters: CountersHealth;
  readonly #bans: Bans | undefined;
  readonly #options: CompileOptions;
  readonly #logged = new Set<string>();
  /** Undefined until the policy is known. */
  #policy: CompiledPolicy | undefined;
  #countsCustomersWithOthers = false;
  readonly #unsubscribe: () => void;

  constructor(node: FleetNode, counters: CountersHealth, bans: Bans | undefined, options: CompileOptions) {
    this.#node = node;
    this.#counters = counters;
    this.#bans = bans;
    this.#options = options;
    if (node.state.policy) this.#policy = this.#compile(node.state.policy);
    this.#unsubscribe = node.state.subscribe(this);
  }

  get isOff(): boolean {
    return this.#node.state.policy?.policy.mode === "off";
  }

  /** What another policy denied is no longer known. */
  onPolicy(stored: StoredPolicy): void {
    this.#policy = this.#compile(stored);
    this.#forgetAll();
  }

  onCustomer(id: string): void {
    if (this.#countsCustomersWithOthers) {
      this.#forgetAll();
      return;
    }
    const { denials, allowances } = this.#counters.store;
    for (const client of [id, clientOfId(id)]) {
      denials?.forgetClient(client);
      allowances?.forgetClient(client);
    }
  }

  onReload(): void {
    this.#forgetAll();
  }

  close(): void {
    this.#unsubscribe();
  }

  /** The customer, with the limits that the policy has for it. Undefined until the policy is known. */
  callerOf(id: CustomerId, limits: StoredLimits | undefined): Caller | undefined {
    return this.#policy?.callerOf(id, limits);
  }

  decide(
    request: GuardRequest,
    client: ClientAddress,
    caller: Caller | undefined,
    nowMs: number,
  ): Verdict | Promise<Verdict> {
    if (!this.#policy) return verdict.unsure("policy-unavailable");
    const planned = this.#policy.planFor(request, client, caller);
    const uncounted = decideUncounted(planned);
    if (uncounted) return uncounted;
    const { denials, allowances } = this.#counters.store;
    const known = denials?.find(planned, nowMs);
    if (known) return this.#deny(planned, known, client);
    const passed = allowances?.find(planned, nowMs, client);
    if (passed instanceof Promise) return passed.then((later) => this.#decideBy(planned, later, client));
    return this.#decideBy(planned, passed, client);
  }

  #decideBy(
    planned: Planned,
    passed: Weighed | undefined,
    client: ClientAddress,
  ): Verdict | Promise<Verdict> {
    return passed ? decideCounted(planned, passed) : this.#weigh(planned, client);
  }

  #forgetAll(): void {
    const { denials, allowances } = this.#counters.store;
    denials?.clear();
    allowances?.clear();
  }

  async #weigh(planned: Planned, client: ClientAddress): Promise<Verdict> {
    const { scales, denials, allowances, opening } = this.#counters.store;
    // The first requests of a process may be faster than its connection.
    if (opening) await inTime(opening, deadlineOf());
    const weighed = await scales.weigh(planned);
    if (weighed.outcome === "unweighed") {
      this.#counters.noteUnavailable(weighed);
      return decideWithoutCounters(planned, weighed, this.#counters.model.weighNow);
    }
    this.#counters.noteAnswered();
    allowances?.learn(planned, weighed);
    if (weighed.deniedBy < 0) return decideCounted(planned, weighed);
    denials?.remember(planned, weighed);
    return this.#deny(planned, weighed, client);
  }

  #deny(planned: Planned, weighed: Weighed, client: ClientAddress): Verdict {
    const rule = planned.rules[weighed.deniedBy];
    // A ban strikes the address, so it must be the address that went over.
    if (rule?.ban && !isCountedById(rule, planned)) this.#bans?.noteDenial(rule, client);
    return decideCounted(planned, weighed);
  }

  /** What rules have counted for a request, without charging it. */
  async read(request: GuardRequest, client: ClientAddress): Promise<RulesRead> {
    const stored = await this.#node.knownPolicy();
    const policy = this.#policy;
    if (!stored || !policy) throw new DomainError("redis-unavailable", "The policy is not known yet.");
    const id = customerIdOf(request);
    const caller = id && policy.callerOf(id, await this.#node.storedLimits(id, deadlineOf()));
    const planned = policy.planFor(request, client, caller);
    const { store, model } = this.#counters;
    const weighed = await store.scales.read(planned);
    const { customerId } = request;
    return { mode: stored.policy.mode, customerId, planned, weighed, readModel: model.readNow };
  }

  #compile({ policy }: StoredPolicy): CompiledPolicy {
    const { keepsFixedWindowsOnly } = this.#counters.store;
    const kept = keepsFixedWindowsOnly
      ? policy.rules.filter(({ algorithm }) => algorithm === "fixed")
      : policy.rules;
    const options = { ...this.#options, digest: this.#node.state.digest };
    const compiled = new CompiledPolicy({ ...policy, rules: kept }, options);
    this.#logOnce([...refusalsOf(policy.rules.filter((rule) => !kept.includes(rule))), ...compiled.problems]);
    this.#countsCustomersWithOthers = kept.some(
      (rule) => typeof rule.client !== "string" && (counts(rule.client, "customer") || countsIds(rule)),
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

function refusalsOf(rules: readonly Rule[]): string[] {
  return rules.map(
    ({ name, algorithm }) =>
      `rule ${name} is not enforced here: memcached keeps fixed windows only, and it is ${algorithm}`,
  );
}
