/** Every way of counting that a rule may choose. */
export const algorithms = [
  "fixed",
  "first-hit",
  "rolling-list",
  "rolling-set",
  "sliding",
  "gcra",
  "earrrl",
] as const;
export type Algorithm = (typeof algorithms)[number];

/** One level of one rule: what is weighed for one client. */
export interface Step {
  readonly rule: string;
  readonly algorithm: Algorithm;
  /** Cost that fits into one period; for EARRRL a rate per second. */
  readonly limit: number;
  /** Whole seconds; for EARRRL its half-life, which may be a fraction. */
  readonly periodSeconds: number;
  /** EARRRL alone: what a hit weighs while its client is over the limit, 0 to 1. */
  readonly overageWeight: number;
  /** Weighed and told, but never denies. */
  readonly isShadowed: boolean;
}

/** The steps that a request goes through, in order. Requests of one plan are weighed together, so plans are kept and shared. */
export interface Plan {
  readonly steps: readonly Step[];
}

/** One request on the scales. */
export interface Load {
  readonly plan: Plan;
  /** Who is counted, step for step. */
  readonly clients: readonly string[];
  /** What the request costs, step for step; whole numbers. 0 asks and charges nothing. */
  readonly costs: readonly number[];
}

/** A cost that is no whole number counts as one: a batch must not fail by what one caller says. */
export function costAt({ costs }: Load, step: number): number {
  const cost = costs[step];
  return cost !== undefined && Number.isSafeInteger(cost) && cost >= 0 ? cost : 1;
}

export interface Reading {
  /** What was used before this request; for EARRRL the estimate per second. */
  readonly used: number;
  /** If over: until this cost would fit. Else until the step gives something back: its window ends, its oldest hit goes,
   * its backlog is gone. */
  readonly resetMs: number;
  readonly isOver: boolean;
}

export interface Weighed {
  readonly outcome: "weighed";
  /** Index of the first step in force that denies; -1 when the request may pass. */
  readonly deniedBy: number;
  readonly readings: readonly Reading[];
  /** Steps whose key held something that is not ours: they could not be weighed, and deny nothing. */
  readonly trouble: readonly number[];
  /** When that was; nothing for what this process weighed by itself. */
  readonly at?: Moment;
}

export interface Moment {
  /** `performance.now()` when it was asked. */
  readonly askedAtMs: number;
  /** What Redis' clock said. */
  readonly redisMicros: number;
}

/** Nothing is known of the request. It was counted once at most. */
export interface Unweighed {
  readonly outcome: "unweighed";
  /** late: no answer in time. away: no connection, or it broke. refused: the server answered with an error. */
  readonly reason: "late" | "away" | "refused";
  readonly message: string;
}

/** Of a request that several steps deny, the first one answers. */
export function firstDenial(steps: readonly Step[], readings: readonly Reading[]): number {
  for (let i = 0; i < steps.length; i++) if (readings[i]?.isOver && !steps[i]?.isShadowed) return i;
  return -1;
}
