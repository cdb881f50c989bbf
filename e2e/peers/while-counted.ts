import { setTimeout as pause } from "node:timers/promises";

/** The counters answered late: the request passed uncounted, so the count of its client is unknown. */
export class UncountedPass extends Error {
  constructor() {
    super("The request passed without counters.");
  }
}

const longestOutageMs = 10_000;
/** A few attempts a second, so that each can have a client of its own. Late counters are not asked again at once anyway. */
const restMs = 100;

/** Runs a sequence of requests. Only after an uncounted pass, it runs again, and must use another client. */
export async function whileCounted(sequence: (attempt: number) => Promise<void>): Promise<void> {
  const deadline = performance.now() + longestOutageMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await sequence(attempt);
    } catch (error) {
      if (!(error instanceof UncountedPass) || performance.now() > deadline) throw error;
    }
    await pause(restMs);
  }
}
