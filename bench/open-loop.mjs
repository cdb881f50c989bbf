/**
 * Sends requests at their times, whether or not earlier ones are answered. Resolves when all are.
 * @param {{
 *   atMs: number, perSecond: number, seconds: number, isPrecise?: boolean,
 *   send: (index: number, dueMs: number) => Promise<unknown>,
 * }} load `atMs` by Date.now(); `dueMs` by performance.now(). A precise one uses a core, others send every millisecond.
 */
export async function openLoop({ atMs, perSecond, seconds, isPrecise = false, send }) {
  const count = Math.round(perSecond * seconds);
  const startMs = performance.now() + atMs - Date.now();
  let next = 0;
  let unanswered = 0;
  await new Promise((resolve, reject) => {
    const settle = () => {
      if (--unanswered === 0 && next === count) resolve(undefined);
    };
    /** One request a turn: the microtasks of one must not count as time of another. */
    const turn = () => {
      const dueMs = startMs + (next * 1_000) / perSecond;
      if (performance.now() >= dueMs) {
        unanswered++;
        send(next++, dueMs).then(settle, reject);
        if (next < count) setImmediate(turn);
      } else if (isPrecise) setImmediate(turn);
      else setTimeout(turn, 1);
    };
    turn();
  });
}
