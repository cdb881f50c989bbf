import type { CountersConnection } from "../redis/connect.ts";
import { Desk } from "./desk.ts";
import { type LateCharge, LateCharges } from "./late-charges.ts";
import type { Load, Unweighed, Weighed } from "./plan.ts";
import { RedisClock } from "./redis-clock.ts";
import { ScriptLine } from "./script-line.ts";
import { isSpread, SpreadLoads } from "./spread.ts";

/** Where requests are counted and judged. */
export interface Scales {
  weigh(load: Load): Promise<Weighed | Unweighed>;
  /** What the answer would be now; charges nothing. */
  read(load: Load): Promise<Weighed | Unweighed>;
}

export interface RedisScales extends Scales {
  /** What hits weigh that were denied without asking: for EARRRL, which charges these too. */
  charge(charges: readonly LateCharge[]): Promise<void>;
}

export interface ScalesOptions {
  /** How long an answer may take. */
  readonly withinMs?: number;
  /** How many requests go into one call at most. */
  readonly mostLoads?: number;
  /** Microseconds; for tests, instead of Redis' own clock. */
  readonly clock?: () => number;
}

/** Scales on Redis or on a cluster of it. What comes in one turn of the event loop and follows one plan goes in one call. */
export function createScales(redis: CountersConnection, options: ScalesOptions = {}): RedisScales {
  const { isCluster } = redis;
  const line = new ScriptLine(redis);
  const settings = {
    line,
    clock: new RedisClock(options.clock),
    withinMs: options.withinMs ?? 40,
    mostLoads: options.mostLoads ?? 128,
    isCluster,
  };
  const weighing = new Desk({ ...settings, isReading: false });
  const reading = new Desk({ ...settings, isReading: true });
  const late = new LateCharges(settings);
  const spread = new SpreadLoads(settings);
  return {
    async weigh(load) {
      if (load.plan.steps.length === 0) return passing;
      return isCluster && isSpread(load)
        ? spread.weigh(load, (part) => weighing.take(part))
        : weighing.take(load);
    },
    async read(load) {
      if (load.plan.steps.length === 0) return passing;
      return isCluster && isSpread(load)
        ? spread.read(load, (part) => reading.take(part))
        : reading.take(load);
    },
    charge: (charges) => late.send(charges),
  };
}

const passing: Weighed = { outcome: "weighed", deniedBy: -1, readings: [], trouble: [] };
