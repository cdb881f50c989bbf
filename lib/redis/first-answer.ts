import type { CountersConnection } from "./connect.ts";
import { isForbidden } from "./error-kinds.ts";

const answerWithinMs = 2_000;

/** What the first question on a connection brings; it also tells whether there is one, and if not, why. */
export async function firstAnswer<T>(redis: CountersConnection, question: Promise<T>): Promise<T> {
  let lastError = "";
  redis.on("error", (error: NodeJS.ErrnoException) => {
    lastError = error.code ?? error.message;
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${answerWithinMs / 1_000} s`)), answerWithinMs);
  });
  try {
    return await Promise.race([question, tooLate]);
  } catch (cause) {
    if (isForbidden(cause) || lastError === "") throw cause;
    throw new Error(lastError, { cause });
  } finally {
    clearTimeout(timer);
  }
}
