import { counterClient } from "../redis/keys.ts";
import { Generations } from "./generations.ts";
import type { Model } from "./model.ts";
import { models, readFound } from "./models.ts";
import { costAt, firstDenial, type Load, type Step, type Weighed } from "./plan.ts";
import type { Scales } from "./scales.ts";

export interface MemoryOptions {
  /** How many counters are kept; those that were not used for longest are forgotten first. */
  readonly mostCounters?: number;
  /** Microseconds. */
  readonly clock?: () => number;
}

/** Scales in this process alone, by the same models: while Redis is away, or where one process is all there is. */
export interface MemoryScales extends Scales {
  weighNow(load: Load): Weighed;
  readNow(load: Load): Weighed;
  clear(): void;
}

export function createMemoryScales({
  mostCounters = 100_000,
  clock = wallMicros,
}: MemoryOptions = {}): MemoryScales {
  const states = new Generations<unknown>(mostCounters);

  function readNow(load: Load): Weighed {
    return look(load, clock());
  }

  function look(load: Load, nowMicros: number): Weighed {
    const { plan, clients } = load;
    const readings = plan.steps.map((step, i) => {
      const cost = costAt(load, i);
      const state = states.get(nameOf(step, clients[i] ?? ""));
      return readFound(modelOf(step).peek(state, step, cost, nowMicros), step, cost, nowMicros);
    });
    return { outcome: "weighed", deniedBy: firstDenial(plan.steps, readings), readings, trouble: [] };
  }

  function weighNow(load: Load): Weighed {
    const nowMicros = clock();
    const weighed = look(load, nowMicros);
    load.plan.steps.forEach((step, i) => {
      const cost = costAt(load, i);
      const isPassed = weighed.deniedBy < 0 && !weighed.readings[i]?.isOver;
      if (cost === 0 || !(isPassed || step.algorithm === "earrrl")) return;
      const name = nameOf(step, load.clients[i] ?? "");
      states.set(name, modelOf(step).charge(states.get(name), step, cost, nowMicros));
    });
    return weighed;
  }

  return {
    weighNow,
    readNow,
    weigh: async (load) => weighNow(load),
    read: async (load) => readNow(load),
    clear: () => states.clear(),
  };
}

const nameOf = ({ algorithm, periodSeconds, rule }: Step, client: string): string =>
  `${algorithm} ${periodSeconds} ${rule} ${counterClient(client)}`;

/** The one cast: a state goes back only to the algorithm that made it, for the name it is kept under begins with it. */
const modelOf = (step: Step) => models[step.algorithm] as Model<unknown>;

const wallMicros = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000);
