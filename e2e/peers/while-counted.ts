/** The counters answered late: the request passed uncounted, so the count of its client is unknown. */
export class UncountedPass extends Error {
  constructor() {
    super("The request passed without counters.");
  }
}

const mostAttempts = 5;

/** Runs a sequence of requests. Only after an uncounted pass, it runs again, and must use another client. */
export async function whileCounted(sequence: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await sequence(attempt);
    } catch (error) {
      if (!(error instanceof UncountedPass) || attempt === mostAttempts - 1) throw error;
    }
  }
}
