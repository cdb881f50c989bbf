import { at } from "../../at.ts";
import { counterClient } from "../../redis/keys.ts";
import { chargeState, readState } from "../algorithms/algorithms.ts";
import { Generations } from "./generations.ts";
import { type CountedRequest, costAt, firstDenial, type Weighed } from "./plan.ts";
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
  clear(): void;
}

export function createMemoryScales({
  mostCounters = 100_000,
  clock = wallMicros,
}: MemoryOptions = {}): MemoryScales {
  /** Named by algorithm, too: a state goes back only to the model that made it. */
  const states = new Generations<unknown>(mostCounters);

  function look(request: CountedRequest, names: readonly string[], nowMicros: number): Weighed {
    const { steps } = request.plan;
    const readings = steps.map((step, i) =>
      readState(states.get(at(names, i)), step, costAt(request, i), nowMicros),
    );
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
      const state = states.get(name);
      const charged = chargeState(state, step, costAt(request, i), nowMicros, isDenied);
      if (charged !== state) states.set(name, charged);
    });
    return weighed;
  }

  return {
    weighNow,
    readNow,
    weigh: async (request) => weighNow(request),
    read: async (request) => readNow(request),
    clear: () => states.clear(),
  };
}

function namesOf({ plan, clients }: CountedRequest): string[] {
  return plan.steps.map(
    ({ algorithm, periodSeconds, rule }, i) =>
      `${algorithm} ${periodSeconds} ${rule} ${counterClient(at(clients, i))}`,
  );
}

const wallMicros = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000);
