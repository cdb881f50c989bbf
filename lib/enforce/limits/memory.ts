import { at } from "../../at.ts";
import { counterClient } from "../../redis/keys.ts";
import {
  chargeState,
  correctState,
  isHolding,
  readState,
  readStates,
  reserving,
  unchargeState,
} from "../algorithms/algorithms.ts";
import { concurrent, type Hold, released } from "../algorithms/windows.ts";
import { Generations } from "./generations.ts";
import { type CountedRequest, costAt, firstDenial, type Settlement, type Weighed } from "./plan.ts";
import type { Scales } from "./scales.ts";

export interface MemoryOptions {
  /** How many counters are kept; those unused for longest are forgotten first. */
  readonly mostCounters?: number;
  /** Microseconds. */
  readonly clock?: () => number;
}

/** Scales in this process alone, by the models: while Redis is away, or for an app of one process. */
export interface MemoryScales extends Scales {
  weighNow(request: CountedRequest): Weighed;
  readNow(request: CountedRequest): Weighed;
  settleNow(settlement: Settlement, atMicros: number): void;
  clear(): void;
}

export function createMemoryScales({
  mostCounters = 100_000,
  clock = wallMicros,
}: MemoryOptions = {}): MemoryScales {
  /** Named by algorithm, too: a state goes back only to the model that made it. */
  const states = new Generations<unknown>(mostCounters);
  const holds = new Generations<readonly Hold[]>(mostCounters);

  function look(request: CountedRequest, names: readonly string[], nowMicros: number): Weighed {
    const { steps } = request.plan;
    const readings = steps.map((step, i) => {
      const name = at(names, i);
      const cost = costAt(request, i);
      if (!isHolding(step)) return readState(states.get(name), step, cost, nowMicros);
      const held = holds.get(holdsOf(request, i));
      return step.countWhen
        ? readStates(states.get(name), held, step, cost, nowMicros)
        : readState(held, step, cost, nowMicros);
    });
    return { outcome: "weighed", deniedBy: firstDenial(steps, readings), readings, trouble: [] };
  }

  function readNow(request: CountedRequest): Weighed {
    return look(request, namesOf(request), clock());
  }

  function weighNow(request: CountedRequest): Weighed {
    const nowMicros = clock();
    const names = namesOf(request);
    const weighed = look(request, names, nowMicros);
    request.plan.steps.forEach((step, i) => {
      const name = at(names, i);
      const isDenied = weighed.deniedBy >= 0 || at(weighed.readings, i).isOver;
      const cost = costAt(request, i);
      if (isHolding(step)) {
        if (cost > 0 && !isDenied) hold(request, i, nowMicros);
        return;
      }
      const state = states.get(name);
      const charged = chargeState(state, step, cost, nowMicros, isDenied);
      if (charged !== state) states.set(name, charged);
    });
    return weighed;
  }

  function refundNow(request: CountedRequest): boolean {
    const nowMicros = clock();
    const names = namesOf(request);
    const refunded = request.plan.steps.map((step, i) => {
      const left = unchargeState(states.get(at(names, i)), step, costAt(request, i), nowMicros);
      if (left !== undefined) states.set(at(names, i), left);
      return left !== undefined;
    });
    return refunded.every((isDone) => isDone);
  }

  function hold(request: CountedRequest, i: number, nowMicros: number): void {
    const step = at(request.plan.steps, i);
    const name = holdsOf(request, i);
    const terms = step.countWhen ? reserving(step) : step;
    const held = concurrent.charge(holds.get(name), terms, costAt(request, i), nowMicros, request.hold);
    holds.set(name, held);
  }

  function settleNow(settlement: Settlement, atMicros: number): void {
    const names = namesOf(settlement);
    settlement.plan.steps.forEach((step, i) => {
      const holdName = holdsOf(settlement, i);
      holds.set(holdName, released(holds.get(holdName), settlement.hold));
      const charged = settlement.charged[i] ?? 0;
      if (!step.countWhen || charged === 0) return;
      const name = at(names, i);
      states.set(name, chargeState(states.get(name), step, charged, atMicros, false));
    });
  }

  function correctNow(request: CountedRequest, differences: readonly number[], atMicros: number): void {
    const names = namesOf(request);
    request.plan.steps.forEach((step, i) => {
      const name = at(names, i);
      const corrected = correctState(states.get(name), step, differences[i] ?? 0, atMicros);
      if (corrected !== undefined) states.set(name, corrected);
    });
  }

  return {
    weighNow,
    readNow,
    refund: async (request) => refundNow(request),
    async forget(request) {
      for (const name of namesOf(request)) states.delete(name);
      for (const i of request.clients.keys()) holds.delete(holdsOf(request, i));
      return true;
    },
    weigh: async (request) => weighNow(request),
    read: async (request) => readNow(request),
    settleNow,
    settle: async (settlement, atMicros) => settleNow(settlement, atMicros),
    correct: async (request, differences, atMicros) => correctNow(request, differences, atMicros),
    nowMicros: clock,
    clear() {
      states.clear();
      holds.clear();
    },
  };
}

function namesOf({ plan, clients }: CountedRequest): string[] {
  return plan.steps.map(
    ({ algorithm, periodSeconds, rule }, i) =>
      `${algorithm} ${periodSeconds} ${rule} ${counterClient(at(clients, i))}`,
  );
}

/** The levels of a rule with `countWhen` share their holds. */
function holdsOf({ plan, clients }: CountedRequest, i: number): string {
  const { countWhen, periodSeconds, rule } = at(plan.steps, i);
  return `${countWhen ? "" : periodSeconds} ${rule} ${counterClient(at(clients, i))}`;
}

const wallMicros = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000);
