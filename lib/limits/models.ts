import { earrrl } from "./earrrl.ts";
import { firstHit } from "./first-hit.ts";
import { fixed } from "./fixed.ts";
import { gcra } from "./gcra.ts";
import type { Found } from "./model.ts";
import type { Algorithm, Reading, Step } from "./plan.ts";
import { rolling } from "./rolling.ts";
import { sliding } from "./sliding.ts";

/** What every algorithm's model has, whatever its state is. */
export const models = {
  fixed,
  "first-hit": firstHit,
  "rolling-list": rolling,
  "rolling-set": rolling,
  sliding,
  gcra,
  earrrl,
} as const;

/** What a peek's numbers mean, whichever algorithm found them. */
export function readFound(found: Found, step: Step, cost: number, nowMicros: number): Reading {
  return models[step.algorithm satisfies Algorithm].read(found, step, cost, nowMicros);
}
