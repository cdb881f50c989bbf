import type { Algorithm } from "../limits/plan.ts";

type WindowAlgorithm = Exclude<Algorithm, "earrrl">;

/** What each way of counting is called in sentences. */
export const algorithmWords: Readonly<Record<Algorithm, string>> = {
  fixed: "a fixed window",
  "first-hit": "a window from the first hit",
  "rolling-list": "a rolling list",
  "rolling-set": "a rolling set",
  sliding: "a sliding estimate",
  gcra: "GCRA",
  earrrl: "EARRRL",
};

/** Those whose levels are a limit and a period. */
export const windowAlgorithms = [
  "fixed",
  "first-hit",
  "rolling-list",
  "rolling-set",
  "sliding",
  "gcra",
] as const satisfies readonly WindowAlgorithm[];
