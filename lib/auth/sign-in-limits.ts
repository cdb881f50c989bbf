import type { Ip } from "../ip/parse.ts";
import { createMemoryScales, type MemoryScales } from "../limits/memory.ts";
import type { Load, Plan, Reading, Step, Weighed } from "../limits/plan.ts";
import { createScales, type RedisScales } from "../limits/scales.ts";
import type { CountersConnection } from "../redis/connect.ts";
import { signInClient } from "./sign-in-client.ts";

/** Failures allowed, and in how many seconds: whoever goes on waits longer each time. */
const levels = {
  "signin/address": [
    [5, 60],
    [20, 900],
    [60, 14_400],
    [150, 86_400],
  ],
  // Counted with the address, so that nobody elsewhere can lock a colleague out.
  "signin/account": [
    [10, 900],
    [20, 14_400],
    [30, 86_400],
  ],
} as const satisfies Record<string, readonly (readonly [limit: number, periodSeconds: number])[]>;

const stepsOf = (rule: keyof typeof levels): Step[] =>
  levels[rule].map(([limit, periodSeconds]) => ({
    ...{ rule, limit, periodSeconds, algorithm: "first-hit" as const },
    ...{ overageWeight: 1, isShadowed: false },
  }));

const ofAddress: Plan = { steps: stepsOf("signin/address") };
const ofBoth: Plan = { steps: [...ofAddress.steps, ...stepsOf("signin/account")] };

/** How much room somebody who signs in has left. */
export interface Attempts {
  readonly left: number;
  /** What `left` is counted down from. */
  readonly of: number;
  /** Until the next attempt is allowed; 0 while some are left. */
  readonly waitMs: number;
}

export interface SignInLimitsOptions {
  /** Microseconds; for tests, instead of the clocks of Redis and of this process. */
  readonly clock?: () => number;
}

/**
 * Only failures are counted. Attempts from one address go one after the other, so that many at once find each other's
 * failures; of several processes each lets one through at a time. While the counters are away, this process' own model
 * of the same rules answers.
 */
export class SignInLimits {
  readonly #scales: RedisScales;
  readonly #model: MemoryScales;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(counters: CountersConnection, { clock }: SignInLimitsOptions = {}) {
    const given = clock && { clock };
    this.#scales = createScales(counters, { withinMs: 250, ...given });
    this.#model = createMemoryScales({ mostCounters: 20_000, ...given });
  }

  /** What is left for an address, whoever signs in there. */
  async attempts(address: Ip | undefined): Promise<Attempts> {
    return this.#ask(loadOf(ofAddress, signInClient(address)));
  }

  /**
   * Does the work if an attempt is left, and counts it if it fails.
   * @param account any text: accounts that do not exist count as those that do
   */
  async attempt<T>(
    { address, account }: { readonly address: Ip | undefined; readonly account: string },
    work: () => Promise<T | undefined>,
  ): Promise<{ readonly done: T } | { readonly failed: Attempts; readonly isTried: boolean }> {
    const client = signInClient(address);
    const load = loadOf(ofBoth, client, account);
    return this.#inTurn(client, async () => {
      const before = await this.#ask(load);
      if (before.left === 0) return { failed: before, isTried: false };
      const done = await work();
      if (done !== undefined) return { done };
      // The model counts along, so that it knows these failures when the counters go away.
      this.#model.weighNow(load);
      await this.#scales.weigh(load);
      return { failed: await this.#ask(load), isTried: true };
    });
  }

  async #ask(load: Load): Promise<Attempts> {
    const answer = await this.#scales.read(load);
    return attemptsIn(load.plan, answer.outcome === "weighed" ? answer : this.#model.readNow(load));
  }

  async #inTurn<T>(client: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(client) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#turns.set(client, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(client) === mine) this.#turns.delete(client);
    }
  }
}

function loadOf(plan: Plan, client: string, account = ""): Load {
  const clients = plan.steps.map(({ rule }) => (rule === "signin/address" ? client : `${client}|${account}`));
  return { plan, clients, costs: plan.steps.map(() => 1) };
}

function attemptsIn({ steps }: Plan, { readings }: Weighed): Attempts {
  const rooms = steps.map(({ limit }, i) => limit - (readings[i]?.used ?? 0));
  const left = Math.max(0, Math.min(...rooms));
  const waits = readings.filter(({ isOver }: Reading) => isOver).map(({ resetMs }) => resetMs);
  return { left, of: Math.min(...steps.map(({ limit }) => limit)), waitMs: Math.max(0, ...waits) };
}
