import { traffics } from "@/lib/enforce/limits/traffic.ts";
import type { Run } from "./run.ts";

const halfASecond = {
  a: { algorithm: "fixed", limit: 30, periodSeconds: 60 },
  b: { algorithm: "earrrl", limit: 0.5, periodSeconds: 60 },
  overageWeight: 1,
  seed: undefined,
  users: "cold",
} as const;

/** Where a run may start from, by the name it has in a link. */
export const presets = {
  burst: { ...halfASecond, phases: traffics.burst },
  steady: { ...halfASecond, phases: traffics.steady },
  "retry-storm": { ...halfASecond, phases: traffics.retryStorm },
  "s2-boundary": {
    ...halfASecond,
    a: { algorithm: "fixed", limit: 5, periodSeconds: 60 },
    b: { algorithm: "rolling-set", limit: 5, periodSeconds: 60 },
    phases: traffics.boundaryBurst,
  },
  "s5-reform": {
    ...halfASecond,
    a: { algorithm: "fixed", limit: 18, periodSeconds: 30 },
    b: { algorithm: "earrrl", limit: 0.6, periodSeconds: 15 },
    phases: traffics.reformedUser,
  },
  "s5-convergence": {
    ...halfASecond,
    a: { algorithm: "earrrl", limit: 0.5, periodSeconds: 10 },
    b: { algorithm: "earrrl", limit: 0.5, periodSeconds: 1 },
    phases: [
      { seconds: 50, perSecond: 0 },
      { seconds: 150, perSecond: 1 },
      { seconds: 50, perSecond: 0 },
    ],
    users: "between",
  },
} as const satisfies Record<string, Run>;

export type PresetName = keyof typeof presets;

export const usualPreset: PresetName = "burst";

/** In the order in which they are offered. */
export const presetWords: Readonly<Record<PresetName, string>> = {
  burst: "Burst",
  steady: "Steady",
  "retry-storm": "Retry storm",
  "s2-boundary": "Window's edge",
  "s5-reform": "Reformed user",
  "s5-convergence": "Convergence",
};

export function isPresetName(text: string | null): text is PresetName {
  return text !== null && Object.hasOwn(presets, text);
}
