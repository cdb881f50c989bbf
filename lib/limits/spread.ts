import { lua } from "../redis/lua.generated.ts";
import {
  costAt,
  firstDenial,
  type Load,
  type Plan,
  type Reading,
  type Unweighed,
  type Weighed,
} from "./plan.ts";
import { counterKey, laneOf, numberOf } from "./recipe.ts";
import type { RedisClock } from "./redis-clock.ts";
import { lineScript, type ScriptLine } from "./script-line.ts";

/** Weighs a load whose keys all lie in one slot. */
type Weigh = (load: Load) => Promise<Weighed | Unweighed>;

/** A load's steps that lie in one slot. */
interface Part {
  readonly lane: number;
  readonly steps: readonly number[];
  readonly load: Load;
}

const withinMs = 1_000;
const script = lineScript(lua.refund);

/** True if a load's keys lie in more than one slot: it is counted for more than one client. */
export function isSpread({ clients }: Load): boolean {
  const [first = ""] = clients;
  return clients.some((client) => client !== first && laneOf(client) !== laneOf(first));
}

/**
 * Loads whose keys lie in several slots of a cluster, which no script can reach at once: each slot charges its steps if none
 * of them denies, and gets its charge back if a step elsewhere does. In between, others may be denied, but nobody is let in
 * beyond a limit.
 */
export class SpreadLoads {
  readonly #line: ScriptLine;
  readonly #clock: RedisClock;
  /** By the lanes of its steps. Parts of one plan have to be one plan again, to be weighed together. */
  readonly #plans = new WeakMap<Plan, Map<string, Plan>>();

  constructor({ line, clock }: { line: ScriptLine; clock: RedisClock }) {
    this.#line = line;
    this.#clock = clock;
  }

  async read(load: Load, read: Weigh): Promise<Weighed | Unweighed> {
    const parts = this.#parts(load);
    return together(load, parts, await Promise.all(parts.map((part) => read(part.load))));
  }

  async weigh(load: Load, weigh: Weigh): Promise<Weighed | Unweighed> {
    const parts = this.#parts(load);
    const answers = await Promise.all(parts.map((part) => weigh(part.load)));
    const answer = together(load, parts, answers);
    if (answer.outcome === "unweighed" || answer.deniedBy >= 0) {
      await Promise.all(parts.map((part, i) => this.#refund(part, answers[i])));
    }
    return answer;
  }

  #parts({ plan, clients, costs }: Load): Part[] {
    const lanes = clients.map(laneOf);
    return [...new Set(lanes)].map((lane) => {
      const steps = lanes.flatMap((other, i) => (other === lane ? [i] : []));
      const pick = <T>(from: readonly T[]) => steps.flatMap((i) => from.slice(i, i + 1));
      return {
        lane,
        steps,
        load: { plan: this.#planOf(plan, steps), clients: pick(clients), costs: pick(costs) },
      };
    });
  }

  #planOf(plan: Plan, steps: readonly number[]): Plan {
    const known = this.#plans.get(plan) ?? new Map<string, Plan>();
    this.#plans.set(plan, known);
    const name = steps.join();
    const part = known.get(name) ?? { steps: steps.flatMap((i) => plan.steps.slice(i, i + 1)) };
    known.set(name, part);
    return part;
  }

  /** What this part was charged. If its own step denied, that was EARRRL's share alone. */
  async #refund({ lane, load }: Part, answer: Weighed | Unweighed | undefined): Promise<void> {
    if (answer?.outcome !== "weighed" || answer.deniedBy >= 0 || !answer.at) return;
    const { plan, clients } = load;
    const charged = plan.steps.flatMap((step, i) => {
      const cost = costAt(load, i);
      const isCharged = cost > 0 && !answer.trouble.includes(i) && !answer.readings[i]?.isOver;
      return isCharged && step.algorithm !== "earrrl" ? [{ step, cost, client: clients[i] ?? "" }] : [];
    });
    if (charged.length === 0) return;
    const { redisMicros } = answer.at;
    const rows = charged.map(({ step, cost }) => [
      numberOf[step.algorithm],
      step.limit,
      step.periodSeconds,
      cost,
    ]);
    const words = charged.map(({ step, client }) => counterKey(step, client, redisMicros, true));
    const injected = this.#clock.injected();
    words.push(
      JSON.stringify(rows.flat()),
      String(redisMicros),
      ...(injected === undefined ? [] : [String(injected)]),
    );
    await this.#line.call(script, lane, charged.length, words, withinMs);
  }
}

/** Step for step as the load has them. Without the answer of one part nothing is known. */
function together(
  { plan }: Load,
  parts: readonly Part[],
  answers: readonly (Weighed | Unweighed)[],
): Weighed | Unweighed {
  const readings: Reading[] = [];
  const trouble: number[] = [];
  for (const [i, { steps }] of parts.entries()) {
    const answer = answers[i];
    if (answer?.outcome !== "weighed") return answer ?? nothing;
    steps.forEach((step, at) => {
      const reading = answer.readings[at];
      if (reading) readings[step] = reading;
      if (answer.trouble.includes(at)) trouble.push(step);
    });
  }
  const first = answers[0];
  const at = first?.outcome === "weighed" ? first.at : undefined;
  const deniedBy = firstDenial(plan.steps, readings);
  return { outcome: "weighed", deniedBy, readings, trouble, ...(at && { at }) };
}

const nothing: Unweighed = {
  outcome: "unweighed",
  reason: "refused",
  message: "A part of a request was not weighed.",
};
