import { isAlgorithm } from "@/lib/enforce/algorithms/algorithms.ts";
import {
  type Bounds,
  isPresetName,
  isWithin,
  type Limiter,
  limitBounds,
  mostPhases,
  type PresetName,
  periodBounds,
  phaseRateBounds,
  phaseSecondsBounds,
  presets,
  presetWords,
  type Run,
  seedBounds,
  usualPreset,
  weightBounds,
} from "./run.ts";

export interface ReadRun {
  readonly run: Run;
  /** The parameters that could not be read; the preset supplies them. */
  readonly unread: readonly string[];
}

type Parameters = Pick<URLSearchParams, "get">;

/** Value of each parameter of a link. Undefined if it is missing or not valid. */
const readers = {
  a: (text: string) => limiterOf(text, "a"),
  b: (text: string) => limiterOf(text, "b"),
  weight: (text: string) => asPart(numberOf(text, weightBounds), (overageWeight) => ({ overageWeight })),
  phases: (text: string) => asPart(phasesOf(text), (phases) => ({ phases })),
  seed: (text: string) => asPart(numberOf(text, seedBounds), (seed) => ({ seed })),
  users: (text: string) => (text === "between" || text === "cold" ? ({ users: text } as const) : undefined),
} as const satisfies Record<string, (text: string) => Partial<Run> | undefined>;

/** `?preset=burst`, or every parameter: `?a=fixed_30_60&b=earrrl_0.5_60&phases=60x0.3-240x2-300x0.2`. */
export function readRun(parameters: Parameters): ReadRun {
  const preset = parameters.get("preset");
  const unread = preset === null || isPresetName(preset) ? [] : ["preset"];
  let run: Run = presets[isPresetName(preset) ? preset : usualPreset];
  for (const [name, read] of Object.entries(readers)) {
    const text = parameters.get(name);
    if (text === null) continue;
    const part = text.length <= longestText ? read(text) : undefined;
    if (part) run = { ...run, ...part };
    else unread.push(name);
  }
  return { run, unread };
}

/** The shortest link to this run. */
export function writeRun(run: Run): string {
  const preset = presetOf(run);
  if (preset) return `?preset=${preset}`;
  const parts = [
    `a=${limiterText(run.a)}`,
    `b=${limiterText(run.b)}`,
    `phases=${run.phases.map(({ seconds, perSecond }) => `${seconds}x${perSecond}`).join("-")}`,
    run.overageWeight !== 1 && `weight=${run.overageWeight}`,
    run.seed !== undefined && `seed=${run.seed}`,
    run.users !== "cold" && `users=${run.users}`,
  ];
  return `?${parts.filter(Boolean).join("&")}`;
}

/** The preset that this run is. */
export function presetOf(run: Run): PresetName | undefined {
  const wanted = JSON.stringify(canonical(run));
  const names = Object.keys(presetWords).filter(isPresetName);
  return names.find((name) => JSON.stringify(canonical(presets[name])) === wanted);
}

const longestText = 120;

function canonical({ a, b, overageWeight, phases, seed, users }: Run): unknown {
  const shape = phases.map(({ seconds, perSecond }) => [seconds, perSecond]);
  return [limiterText(a), limiterText(b), overageWeight, shape, seed ?? null, users];
}

function limiterText({ algorithm, limit, periodSeconds }: Limiter): string {
  return `${algorithm}_${limit}_${periodSeconds}`;
}

function limiterOf(text: string, side: "a" | "b"): Partial<Run> | undefined {
  const [algorithm, limitText = "", periodText = "", ...rest] = text.split("_");
  if (algorithm === undefined || !isAlgorithm(algorithm) || rest.length > 0) return undefined;
  const limit = numberOf(limitText, limitBounds(algorithm));
  const periodSeconds = numberOf(periodText, periodBounds(algorithm));
  if (limit === undefined || periodSeconds === undefined) return undefined;
  return { [side]: { algorithm, limit, periodSeconds } };
}

function phasesOf(text: string): Run["phases"] | undefined {
  const texts = text.split("-");
  if (texts.length > mostPhases) return undefined;
  const phases = texts.flatMap((each) => {
    const [secondsText = "", rateText = "", ...rest] = each.split("x");
    const seconds = numberOf(secondsText, phaseSecondsBounds);
    const perSecond = numberOf(rateText, phaseRateBounds);
    if (seconds === undefined || perSecond === undefined || rest.length > 0) return [];
    return [{ seconds, perSecond }];
  });
  return phases.length === texts.length ? phases : undefined;
}

function numberOf(text: string, bounds: Bounds): number | undefined {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) return undefined;
  return isWithin(Number(text), bounds) ? Number(text) : undefined;
}

function asPart<T, P>(value: T | undefined, part: (value: T) => P): P | undefined {
  return value === undefined ? undefined : part(value);
}
