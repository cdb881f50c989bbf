/**
 * The longest time in ms for which one pass of the event loop held the process while the work was done. Of a pass' own time and the time
 * of the processor that the process used in that time, the shorter: on a busy machine the process also waits for its turn.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = moment();
  let next = setImmediate(function pass() {
    const now = moment();
    longest = Math.max(longest, Math.min(now.wall - last.wall, now.processor - last.processor));
    last = now;
    next = setImmediate(pass);
  });
  await work();
  clearImmediate(next);
  return longest;
}

function moment() {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), processor: (user + system) / 1_000 };
}
