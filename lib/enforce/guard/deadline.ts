const longMs = 60_000;

/** Keeps the process alive until the promise settles: a guard's connections alone do not. */
export async function held<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, longMs);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/** A check waits at most 50 ms for lists and policy. Of these, the end of a wait and the verdict itself need a few. */
const answerWithinMs = 45;

/** When a check that began then, or now, no longer waits for lists, policy and customer; by performance.now(). */
export function deadlineOf(startedAt = performance.now()): number {
  return startedAt + answerWithinMs;
}

/**
 * Undefined when the answer is not there by the deadline. The timer also holds the process until then: a guard's connection
 * does not. After a pause of this process the answer may be there and not be read yet: an immediate comes after the reading.
 */
export async function inTime<T>(answer: Promise<T>, deadline: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    const ms = Math.max(0, deadline - performance.now());
    timer = setTimeout(() => setImmediate(resolve, undefined), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
