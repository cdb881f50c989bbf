import { setImmediate as nextPass } from "node:timers/promises";
import { oncePerProcess } from "./once-per-process.ts";

const longestTurnMs = 8;

/**
 * Resumes in a pass of the event loop in which no other caller resumes. Redis answers many requests at once, and one result may
 * be shared by many: without this, all that they do with it is one long turn, and nothing else of the process is served.
 */
export function loopTurn(): Promise<void> {
  const line = oncePerProcess("loop turns", () => ({ last: Promise.resolve() }));
  line.last = line.last.then(() => nextPass());
  return line.last;
}

/** For long work in a loop: pauses whenever it has taken one turn long enough. */
export function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestTurnMs) return;
    await loopTurn();
    since = performance.now();
  };
}
