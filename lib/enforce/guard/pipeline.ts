import { at } from "../../at.ts";
import { type Block, ClientAddress, isWhole } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { isDeniedByHolds, isHolding } from "../algorithms/algorithms.ts";
import { isCustomerId } from "../customers/id.ts";
import { Generations } from "../limits/generations.ts";
import {
  type CountedRequest,
  costAt,
  isCounted,
  type Plan,
  partOf,
  type RequestResult,
  type Settlement,
  type Unweighed,
  type Weighed,
} from "../limits/plan.ts";
import type { Lists } from "../lists/replica.ts";
import { costProblem } from "../policy/bounds.ts";
import { type Caller, suspensionName } from "../policy/client.ts";
import type { Planned } from "../policy/compile.ts";
import type { Ruling } from "../policy/request-rules.ts";
import type { Policy, Rule } from "../policy/schema.ts";
import { type HeaderWriter, rateLimitHeaders, remainingOf } from "./rate-limit-headers.ts";
import type { GuardRequest } from "./request.ts";
import { ClosedVerdict, namedStepsOf, type Verdict, verdict } from "./verdict.ts";

/** The rules of a policy. */
export interface Rules<C extends Block = Block> {
  /** Undefined until it is known. In mode off no rule is enforced, no blocklist entry and no suspension. */
  readonly policy: Pick<Policy, "mode" | "messages"> | undefined;
  /** A promise where the counters have to be asked. @param nowMs performance.now() of the request */
  decide(
    request: GuardRequest,
    client: C,
    caller: Caller | undefined,
    nowMs: number,
  ): Verdict | Promise<Verdict>;
}

/**
 * Every step of a decision, in order. A check and its explanation both go through here. The rules ask those for requests first:
 * the first of them in force that matches denies the request or exempts it from all limits.
 */
export function decide<C extends Block>(
  lists: Lists,
  rules: Rules<C>,
  request: GuardRequest,
  client: C,
  caller: Caller | undefined,
  nowMs = performance.now(),
): Verdict | Promise<Verdict> {
  const safe = lists.match("safelist", client);
  if (safe) return verdict.safelisted(safe);

  if (rules.policy?.mode === "off") return verdict.pass();

  const blocked = lists.match("blocklist", client);
  const writer = blocked && lists.writerOf(blocked, client);
  if (writer) return verdict.ofFeed(writer);
  if (blocked) return verdict.blocked(blocked);

  const feed = lists.feedOf(client);
  if (feed) return verdict.ofFeed(feed);

  if (caller?.isSuspended && rules.policy?.mode !== "shadow")
    return verdict.suspended(caller.id, rules.policy?.messages?.suspended);

  const found = rules.decide(request, client, caller, nowMs);
  return caller?.isSuspended ? withShadowed(found, [suspensionName]) : found;
}

function withShadowed(
  found: Verdict | Promise<Verdict>,
  names: readonly string[],
): Verdict | Promise<Verdict> {
  return found instanceof Promise
    ? found.then((later) => verdict.withShadowed(later, names))
    : verdict.withShadowed(found, names);
}

/** The verdict, with the request rules in shadow that would have denied the request. */
export function withRuling(
  found: Verdict | Promise<Verdict>,
  ruling: Ruling | undefined,
): Verdict | Promise<Verdict> {
  if (!ruling) return found;
  const denials = ruling.shadowed.flatMap(({ name, action }) => (action === "deny" ? [name] : []));
  return denials.length > 0 ? withShadowed(found, denials) : found;
}

/** Most requests are of a client that came before. */
const recent = new Generations<ClientAddress>(64_000);

/** The client's address. Undefined where the request has none that is readable. */
export function readClient(request: Pick<GuardRequest, "ip">): ClientAddress | undefined {
  const text = request?.ip;
  if (typeof text !== "string") return undefined;
  const known = recent.get(text);
  if (known) return known;
  const block = readBlock(text);
  if (!block || !isWhole(block)) return undefined;
  const client = new ClientAddress(block, text);
  recent.set(text, client);
  return client;
}

/** The signed-in customer. Undefined where the app names none, or none that is valid. */
export function customerIdOf({ customerId }: Pick<GuardRequest, "customerId">): CustomerId | undefined {
  return typeof customerId === "string" && isCustomerId(customerId) ? customerId : undefined;
}

/** The verdict of the rules where they need no counts. Undefined where counts decide. */
export function decideUncounted({ ruling, badRequest, plan }: Planned): Verdict | undefined {
  if (ruling?.decidedBy) return verdict.ofRequest(ruling.decidedBy);
  if (badRequest) return verdict.badRequest(badRequest);
  return plan.steps.length === 0 ? verdict.pass() : undefined;
}

/** Where what a verdict leaves open is settled: where it was counted. */
export interface Settler {
  readonly nowMicros: () => number;
  settle(settlement: Settlement, atMicros: number): Promise<void>;
  /** @param differences what is charged in addition to each step's cost, or given back */
  correct(request: CountedRequest, differences: readonly number[], atMicros: number): Promise<void>;
}

/** The verdict of the rules by their counts. @param settler undefined where nothing was charged */
export function decideCounted(
  planned: Planned,
  weighed: Weighed,
  settler?: Settler,
  write: HeaderWriter = rateLimitHeaders,
): Verdict {
  const { isHeld, isCorrectable } = planned.plan;
  return settler && (isHeld || isCorrectable) && weighed.deniedBy < 0
    ? new OpenVerdict(planned, weighed, write, settler)
    : new CountedVerdict(planned, weighed, write);
}

/** What a verdict was made of. */
export interface VerdictCounts {
  readonly planned: Planned;
  readonly weighed: Weighed;
}

/** What was counted for a verdict. Undefined where no count decided, and for a copy of a verdict. */
export function countsOf(found: Verdict): VerdictCounts | undefined {
  return CountedVerdict.countsOf(found);
}

/** The steps that counted the request of a verdict, if any did. */
export const planOf = (found: Verdict): Plan | undefined => CountedVerdict.planOf(found);

/** What they found. Undefined where none is near its limit. */
export const readingsOf = (found: Verdict): Weighed["readings"] | undefined =>
  CountedVerdict.readingsOf(found);

/** A verdict whose headers are made when they are read. */
class CountedVerdict extends ClosedVerdict implements Verdict {
  readonly outcome: Verdict["outcome"];
  readonly status: number;
  readonly rule: string | undefined;
  readonly by: Verdict["by"];
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly shadowed: readonly string[];
  readonly message: string | undefined;
  readonly counted: string | undefined;
  readonly #planned: Planned;
  readonly #weighed: Weighed;
  readonly #write: HeaderWriter;
  #headers: Verdict["headers"] | undefined;

  constructor(planned: Planned, weighed: Weighed, write: HeaderWriter) {
    super();
    const { plan, rules, costs, clients } = planned;
    const { deniedBy } = weighed;
    const step = plan.steps[deniedBy];
    const rule = rules[deniedBy];
    const reading = deniedBy < 0 ? undefined : weighed.readings[deniedBy];
    const isDenied = step !== undefined && reading !== undefined && rule !== undefined;
    const named = isDenied ? namedStepsOf(plan)[deniedBy] : undefined;
    this.outcome = isDenied ? "throttled" : "pass";
    this.status = isDenied ? rule.response.status : 200;
    this.rule = named?.name;
    this.by = named?.by;
    this.limit = isDenied ? step.limit : undefined;
    this.remaining = isDenied ? remainingOf(step, reading, costs[deniedBy] ?? 1) : undefined;
    this.retryAfterSeconds = isDenied
      ? Math.max(1, Math.ceil(clearInMs(planned, weighed.readings) / 1_000))
      : undefined;
    this.shadowed = weighed.isFarBelow ? none : namesOver(plan, weighed);
    this.message = isDenied ? rule.response.message : undefined;
    this.counted = isDenied && isNamingClient(rule) ? clients[deniedBy] : undefined;
    this.#planned = planned;
    this.#weighed = weighed;
    this.#write = write;
  }

  get headers(): Verdict["headers"] {
    this.#headers ??= this.#makeHeaders();
    return this.#headers;
  }

  /** No property of its own: a log has no use for it. */
  get seenBy(): Verdict["seenBy"] {
    return this.#planned.seenBy.broad;
  }

  /** Undefined for any other verdict. */
  static countsOf(found: Verdict): VerdictCounts | undefined {
    return #weighed in found ? { planned: found.#planned, weighed: found.#weighed } : undefined;
  }

  static planOf(found: Verdict): Plan | undefined {
    return #planned in found ? found.#planned.plan : undefined;
  }

  static readingsOf(found: Verdict): Weighed["readings"] | undefined {
    return #weighed in found && !found.#weighed.isFarBelow ? found.#weighed.readings : undefined;
  }

  /** With the headers, for logs. */
  toJSON(): Verdict {
    return { ...this, headers: this.headers };
  }

  #makeHeaders(): Verdict["headers"] {
    const { plan, costs } = this.#planned;
    const quotas = this.#write(plan, this.#weighed.readings, costs, this.#weighed.deniedBy >= 0);
    const { retryAfterSeconds } = this;
    return retryAfterSeconds === undefined ? quotas : { ...quotas, "retry-after": String(retryAfterSeconds) };
  }
}

/** The verdict for a request that passes and is to be settled. */
class OpenVerdict extends CountedVerdict {
  readonly #request: Planned;
  readonly #weighed: Weighed;
  readonly #settler: Settler;
  readonly #atMicros: number;
  #isHeld: boolean;
  #isCorrectable: boolean;

  constructor(planned: Planned, weighed: Weighed, write: HeaderWriter, settler: Settler) {
    super(planned, weighed, write);
    const { isHeld = false, isCorrectable = false } = planned.plan;
    this.#request = planned;
    this.#weighed = weighed;
    this.#settler = settler;
    this.#atMicros = weighed.at?.redisMicros ?? settler.nowMicros();
    this.#isHeld = isHeld;
    this.#isCorrectable = isCorrectable;
  }

  override get isOpen(): boolean {
    return this.#isHeld;
  }

  override async settle(given?: RequestResult): Promise<void> {
    const result: RequestResult = typeof given === "object" ? { ...given } : {};
    const cost = costProblem(result.cost) === undefined ? result.cost : undefined;
    const isHeld = this.#isHeld;
    const isCorrected = this.#isCorrectable && cost !== undefined;
    this.#isHeld = false;
    if (isCorrected) this.#isCorrectable = false;
    await Promise.all([isHeld && this.#endHolds({ ...result, cost }), isCorrected && this.#correct(cost)]);
  }

  async #endHolds(result: RequestResult): Promise<void> {
    const { hold, plan } = this.#request;
    if (hold === undefined) return;
    const charged = plan.steps.map((step, i) => {
      const { countWhen, isCorrectable } = step;
      if (!countWhen || !this.#isCharged(i) || !isCounted(countWhen, result)) return 0;
      return isCorrectable && result.cost !== undefined ? result.cost : costAt(this.#request, i);
    });
    await this.#settler.settle({ ...this.#request, hold, charged }, this.#atMicros);
  }

  async #correct(cost: number): Promise<void> {
    const differences = this.#request.plan.steps.map((step, i) => {
      const isCharged = step.isCorrectable && !isHolding(step) && this.#isCharged(i);
      return isCharged ? cost - costAt(this.#request, i) : 0;
    });
    if (differences.some((difference) => difference !== 0))
      await this.#settler.correct(this.#request, differences, this.#atMicros);
  }

  /** A step in shadow that is over its limit charges and holds nothing. */
  #isCharged(step: number): boolean {
    const { readings, trouble } = this.#weighed;
    return !trouble.includes(step) && readings[step]?.isOver === false;
  }
}

/**
 * The verdict of the rules while counts are unknown: each rule has an `onStoreError`, and the strictest answer is given.
 * @param weigh on counters of this process. Undefined where there are none: rules that ask for them let the request pass.
 */
export function decideWithoutCounters(
  planned: Planned,
  { reason }: Unweighed,
  weigh: ((request: CountedRequest) => Weighed) | undefined,
  settler?: Settler,
  write?: HeaderWriter,
): Verdict {
  const trouble = `counters-${reason}` as const;
  const closed = planned.rules.find((rule, i) => rule.onStoreError === "closed" && isInForce(planned, i));
  if (closed) return verdict.closed(closed, trouble);
  const modelled = onModel(planned);
  if (!weigh || modelled.plan.steps.length === 0) return verdict.unsure(trouble);
  return verdict.withTrouble(decideCounted(modelled, weigh(modelled), settler, write), trouble);
}

const isNamingClient = ({ client }: Rule) => client !== "ip" && client !== "customer";

/** Until nothing in force denies any more: an earlier retry would only be denied by the next level. */
function clearInMs(request: CountedRequest, readings: Weighed["readings"]): number {
  const { steps } = request.plan;
  let longest = 0;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    const reading = readings[i];
    if (!step || !reading?.isOver || step.isShadowed) continue;
    // Any request that ends makes room.
    longest = Math.max(longest, isDeniedByHolds(step, reading, costAt(request, i)) ? 0 : reading.resetMs);
  }
  return longest;
}

/** Each rule once, however many of its levels are over. They follow one another. */
function namesOver({ steps }: Plan, { readings }: Weighed): readonly string[] {
  let names: string[] | undefined;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (!step?.isShadowed || !readings[i]?.isOver) continue;
    names ??= [];
    if (names.at(-1) !== step.rule) names.push(step.rule);
  }
  return names ?? none;
}

const none: readonly string[] = Object.freeze([]);

const isInForce = ({ plan }: CountedRequest, step: number) => plan.steps[step]?.isShadowed === false;

/** The part of a request that is counted in this process while the counters are away. */
function onModel(planned: Planned): Planned {
  const { rules } = planned;
  const kept = rules.flatMap(({ onStoreError }, i) => (onStoreError === "model" ? [i] : []));
  return { ...planned, ...partOf(planned, kept), rules: kept.map((i) => at(rules, i)) };
}
