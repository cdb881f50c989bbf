import { isDevelopment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import type { ClientAddress } from "../../ip/block.ts";
import { isCustomerId } from "../customers/id.ts";
import { type CountedRequest, nameOfCounter, type Step } from "../limits/plan.ts";
import { chargedCost, costProblem } from "../policy/bounds.ts";
import {
  type CodeLimit,
  defineLimit,
  isSameLimit,
  type LimitOptions,
  limitField,
  limitsLifeMs,
  withOverride,
  writeLimit,
} from "../policy/code-limits.ts";
import { Branch, type Planned } from "../policy/compile.ts";
import { customerLoad, customerPlan, type LimitLevel, levelsOf } from "../policy/customer-plan.ts";
import { keyText } from "../policy/identify.ts";
import { stepOf } from "../policy/levels.ts";
import { networkLength } from "../stats/fields.ts";
import type { CountersHealth } from "./counters.ts";
import { deadlineOf, held, inTime } from "./deadline.ts";
import type { DenialReferences } from "./denial-reference.ts";
import { customerIdOf, readClient } from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import type { GuardNode } from "./shared-runtime.ts";
import { canCount, sayUncounted, type Throttle } from "./throttle.ts";
import { ClosedVerdict, isDenied, type Trouble, type Verdict, verdict } from "./verdict.ts";

/** What is counted of a key. */
export interface LimitPeek {
  /** Level for level. Empty while that is unknown. */
  readonly levels: readonly LimitLevel[];
  /** Why it is unknown, or known to this process alone. */
  readonly trouble?: Trouble | undefined;
}

/** A customer, and the tier or limits that the app's session gives it. */
export interface UsageRequest extends Pick<GuardRequest, "tier" | "limits"> {
  readonly customerId: string;
}

/** What a customer has used, by every rule that counts it. */
export interface CustomerUsage {
  readonly customerId: string;
  /** The tier whose levels apply. Undefined where none does, and where the customer has levels of its own. */
  readonly tier: string | undefined;
  /** Levels in force, with the rule of each. Empty while counts are unknown. */
  readonly levels: readonly (LimitLevel & { readonly rule: string })[];
  readonly trouble?: Trouble | undefined;
}

/** What is known of one use. */
export interface LimitUse {
  /** What it costs: 1 unless given. See `GuardRequest.cost`. */
  readonly cost?: number | undefined;
  /** The client's address, where there is one: safelisted clients pass uncounted. */
  readonly ip?: string | undefined;
}

/**
 * A limit that code names. A key is any text but a blank one: a customer, a user, an address, a job. Upper and lower case are one
 * key. A key of more than 128 characters, or with control characters, is counted by its SHA-1. No method throws, except for a
 * `cost` that cannot be charged where `NODE_ENV` is `development` or `test`.
 */
export interface Limit {
  readonly name: string;
  /**
   * Counts and judges one use of the key: like `guard.check`, without the blocklist and the rules of the policy. A blank key passes,
   * with the trouble `unknown-client`. A limit that is `concurrent` or has `countWhen` reserves the use until `verdict.settle`, which
   * also corrects its cost.
   */
  check(key: string, use?: LimitUse): Promise<Verdict>;
  /** What the key has used. Charges nothing. */
  peek(key: string): Promise<LimitPeek>;
  /**
   * Gives a cost back, in the windows of now and never below zero. False if not every level held as much. A rolling list or set
   * gives back a use of exactly that cost; EARRRL gives nothing back, and `concurrent` by `verdict.settle()` alone. Another process may deny the key for up to 5 s longer.
   */
  refund(key: string, cost?: number): Promise<boolean>;
  /** Deletes what is counted of the key, and what all nodes remember of it. False if Redis did not answer, or refused. */
  reset(key: string): Promise<boolean>;
}

interface LimitParts {
  readonly node: GuardNode;
  readonly counters: CountersHealth;
  readonly throttle: Throttle;
  readonly app: string;
  readonly references: DenialReferences;
}

/** Names are few and fixed: one made of a key would take memory without end. */
const mostLimits = 200;

/** The limits of a guard that code names. */
export class CodeLimits {
  readonly #parts: LimitParts;
  readonly #limits = new Map<string, LimitInForce>();
  readonly #logged = new Set<string>();
  #unsubscribe: (() => void) | undefined;

  constructor(parts: LimitParts) {
    this.#parts = parts;
  }

  /** The limit of that name. Throws a DomainError for options that cannot be read, and in development for others than before. */
  of(name: string, options: LimitOptions): Limit {
    const { node, app } = this.#parts;
    const limit = defineLimit(app, name, options);
    const known = this.#limits.get(name);
    if (known) {
      if (!isSameLimit(known.code, limit))
        this.#meet(
          `limit ${name} of app ${app} is named twice, with different options: the first ones are in force`,
        );
      return known;
    }
    const made = new LimitInForce(limit, this.#parts);
    if (this.#limits.size >= mostLimits) {
      this.#meet(
        `app ${app} names more than ${mostLimits} limits: keep names few, and give what differs as the key`,
      );
      return made;
    }
    this.#limits.set(name, made);
    node.reporter.reportLimit({
      field: limitField(limit),
      write: (nowMs) => writeLimit(limit, nowMs),
      lifeMs: limitsLifeMs,
    });
    this.#unsubscribe ??= node.state.subscribe({
      onPolicy: () => this.#update(),
      onLimits: () => {
        this.#update();
        this.#parts.throttle.forgetAll();
      },
    });
    return made;
  }

  close(): void {
    this.#unsubscribe?.();
  }

  /** What is left for a customer, by each rule and limit that counts it. */
  async usage(of: UsageRequest): Promise<CustomerUsage> {
    const { customerId } = of;
    const { node, counters } = this.#parts;
    const unknown = (trouble: Trouble): CustomerUsage => ({
      customerId,
      tier: undefined,
      levels: [],
      trouble,
    });
    const id = customerIdOf({ customerId });
    if (!id) return unknown("unknown-client");
    const stored = await node.knownPolicy();
    if (!stored) return unknown("policy-unavailable");
    const { policy } = stored;
    const limits = this.#parts.throttle.callerOf(id, await node.storedLimits(id, deadlineOf()), of)?.limits;
    const own = [...this.#limits.values()].map(({ rule }) => rule);
    const rules = [...policy.rules, ...own].filter(
      (rule) => rule.mode === "enforce" && canCount(counters.store, rule),
    );
    const plan = customerPlan({ ...policy, rules }, limits?.levels);
    const { levels, trouble } = await readLevels(counters, customerLoad(plan, id), false);
    const named = levels.map((level, i) => ({ rule: plan.rules[i]?.name ?? "", ...level }));
    return { customerId, tier: limits?.tier, levels: named, ...(trouble && { trouble }) };
  }

  #update(): void {
    for (const limit of this.#limits.values()) limit.update();
  }

  #meet(problem: string): void {
    if (isDevelopment()) throw new DomainError("bad-input", `guard.limit: ${problem}.`);
    if (!this.#logged.has(problem)) this.#parts.node.log(`sluice: ${problem}.`);
    this.#logged.add(problem);
  }
}

interface LimitClient {
  readonly text: string;
  readonly kind: "ip" | "customer" | "rule";
  readonly address: ClientAddress | undefined;
}

/** A limit as code has it, or as an admin has published it. */
class LimitInForce implements Limit {
  readonly code: CodeLimit;
  readonly #parts: LimitParts;
  #limit: CodeLimit;
  #branch: Branch;
  #isOff = false;
  #problem: string | undefined;

  constructor(code: CodeLimit, parts: LimitParts) {
    this.code = code;
    this.#parts = parts;
    this.#limit = code;
    this.#branch = branchOf(code, false);
    this.update();
  }

  get name(): string {
    return this.code.name;
  }

  get rule(): CodeLimit["rule"] {
    return this.#limit.rule;
  }

  /** The policy, or what is published for the limit, has changed. */
  update(): void {
    const { node, counters } = this.#parts;
    const { limit, problem } = withOverride(this.code, node.state.limitOverrides.get(limitField(this.code)));
    const mode = node.state.policy?.policy.mode;
    const isRefused = !canCount(counters.store, limit.rule);
    this.#limit = limit;
    this.#isOff = mode === "off" || limit.rule.mode === "off" || isRefused;
    this.#branch = branchOf(limit, mode === "shadow" || limit.rule.mode === "shadow");
    this.#logProblem(isRefused ? sayUncounted(limit.rule) : problem);
  }

  async check(key: string, { cost, ip }: LimitUse = {}): Promise<Verdict> {
    const { node } = this.#parts;
    node.odd.meetCost(cost, `limit ${this.name}`);
    try {
      const safe = await this.#safelisted(ip);
      const client = this.#clientOf(key);
      const found = safe ?? (await this.#decide(client, chargedCost(cost)));
      const final = costProblem(cost) === undefined ? found : verdict.withTrouble(found, "bad-cost");
      if (isDenied(final)) this.#refer(final, client, ip);
      return final;
    } catch (error) {
      node.odd.fail(error);
      return verdict.unsure("failed");
    }
  }

  #refer(denied: Verdict, client: LimitClient | undefined, ip: string | undefined): void {
    const { node, references } = this.#parts;
    const customer = client?.kind === "customer" ? client.text : undefined;
    const address = client?.address ?? readClient({ ip });
    const atMs = node.reporter.redisMs(performance.now());
    ClosedVerdict.refer(denied, references.makerOf(denied, { client: address, customer, atMs }));
  }

  async #safelisted(ip: string | undefined): Promise<Verdict | undefined> {
    const address = readClient({ ip });
    const lists = address && (await this.#parts.node.lists(address, deadlineOf()));
    if (!address || !lists) return undefined;
    const entry = lists.match("safelist", address);
    if (entry) return verdict.safelisted(entry);
    const feed = lists.match("blocklist", address) ? undefined : lists.feedOf(address);
    return feed?.list === "safelist" ? verdict.ofFeed(feed) : undefined;
  }

  async #decide(client: LimitClient | undefined, cost: number): Promise<Verdict> {
    const { node, throttle } = this.#parts;
    if (!client) return verdict.unsure("unknown-client");
    // The mode may be off, and other numbers may be published.
    if (!node.state.policy && !(await node.knownPolicy())) return this.#decideUnknown();
    if (this.#isOff) return verdict.pass();
    const found = await throttle.decidePlanned(this.#plan(client, cost), performance.now(), client.address);
    const { outcome, rule, shadowed } = found;
    node.reporter.noteLimit({
      ...{ limit: this.rule.name, outcome: outcome === "throttled" ? outcome : "pass", rule },
      ...{ isShadowed: shadowed.length > 0, client: client.text, kind: client.kind },
    });
    return found;
  }

  #decideUnknown(): Verdict {
    const isClosed = this.rule.onStoreError === "closed" && this.rule.mode === "enforce";
    return isClosed ? verdict.closed(this.rule, "policy-unavailable") : verdict.unsure("policy-unavailable");
  }

  async peek(key: string): Promise<LimitPeek> {
    const client = this.#clientOf(key);
    if (!client) return { levels: [], trouble: "unknown-client" };
    const isModelled = this.rule.onStoreError === "model";
    return readLevels(this.#parts.counters, this.#plan(client, 1), isModelled);
  }

  async refund(key: string, cost = 1): Promise<boolean> {
    const { node, counters, throttle } = this.#parts;
    node.odd.meetCost(cost, `limit ${this.name}`);
    const client = this.#clientOf(key);
    if (!client) return false;
    const planned = this.#plan(client, chargedCost(cost));
    const { scales, allowances } = counters.store;
    // What has passed without asking is charged before it is given back.
    allowances?.sendOf(planned);
    const isDone = await scales.refund(planned).catch(() => false);
    throttle.onCustomer(client.text);
    return isDone;
  }

  reset(key: string): Promise<boolean> {
    const client = this.#clientOf(key);
    return client ? held(this.#forget(client)) : Promise.resolve(false);
  }

  async #forget(client: LimitClient): Promise<boolean> {
    const { node, counters, throttle } = this.#parts;
    const { scales, allowances, denials } = counters.store;
    const request = countedAs(client, [...branchOf(this.code, false).plan.steps, ...this.#branch.plan.steps]);
    allowances?.sendOf(request);
    const isDeleted = await scales.forget(request).catch(() => false);
    // In this order, or a node would learn the same denial again.
    const isAnnounced = !denials || (await node.announceReset(client.text));
    throttle.onCustomer(client.text);
    return isDeleted && isAnnounced;
  }

  #clientOf(key: unknown): LimitClient | undefined {
    if (typeof key !== "string" || key.trim() === "") return undefined;
    const { by } = this.code;
    const address = by === "ip" ? readClient({ ip: key }) : undefined;
    if (address) return { text: address.network(networkLength), kind: "ip", address };
    const isCustomer = by === "customer" && isCustomerId(key);
    return { text: keyText(key), kind: isCustomer ? "customer" : "rule", address: undefined };
  }

  #plan({ text }: LimitClient, cost: number): Planned {
    const { plan, rules, ones, seenBy } = this.#branch;
    const clients = plan.steps.map(() => text);
    const costs = cost === 1 ? ones : plan.steps.map(() => cost);
    return { plan, rules, clients, costs, badRequest: undefined, caller: undefined, seenBy };
  }

  #logProblem(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.#problem)
      this.#parts.node.log(
        `sluice: what is published for limit ${limitField(this.code)} is not enforced here: ${problem}.`,
      );
    this.#problem = problem;
  }
}

function branchOf({ rule }: CodeLimit, isShadowed: boolean): Branch {
  const levels = rule.levels === "tier" ? [] : rule.levels;
  return new Branch(
    levels.map((level) => stepOf(rule, level, isShadowed)),
    levels.map(() => rule),
  );
}

/** Each counter once. */
function countedAs({ text }: LimitClient, steps: readonly Step[]): CountedRequest {
  const all = [...new Map(steps.map((step) => [nameOfCounter(step), step])).values()];
  return { plan: { steps: all }, clients: all.map(() => text), costs: all.map(() => 1) };
}

/** @param isModelled while the counters do not answer, those of this process are read */
async function readLevels(
  { store, model }: CountersHealth,
  request: CountedRequest,
  isModelled: boolean,
): Promise<LimitPeek> {
  if (request.plan.steps.length === 0) return { levels: [] };
  store.allowances?.sendOf(request);
  if (store.opening) await inTime(store.opening, deadlineOf());
  const weighed = await store.scales.read(request);
  if (weighed.outcome === "weighed") return { levels: levelsOf(request.plan, weighed) };
  const levels = isModelled ? levelsOf(request.plan, model.readNow(request)) : [];
  return { levels, trouble: `counters-${weighed.reason}` };
}
