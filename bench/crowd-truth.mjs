import { setTimeout as pause } from "node:timers/promises";
import { freshInstall } from "../dist/enforce/policy/stored.js";
import { ruleNames } from "../dist/enforce/stats/fields.js";
import { ClientCounts } from "../dist/observe/stats/client-counts.js";
import { readTotals } from "../dist/observe/stats/totals.js";

const freshWithinMs = 2_000;
const mostShown = 20;
const rules = ruleNames(freshInstall.policy);

/** @typedef {{ outcomes: Record<string, number>, came: [string, number][], unsure: number, cpuMicros: number }} Sent */
/** @typedef {{ outcomes: Map<string, number>, came: Map<string, number>, requests: number, unsure: number, cpuMicros: number }} Truth */

/** What all processes have sent. @param {readonly Sent[]} sent @returns {Truth} */
export function truthOf(sent) {
  const outcomes = summed(sent.flatMap((one) => Object.entries(one.outcomes)));
  return {
    outcomes,
    came: summed(sent.flatMap(({ came }) => came)),
    requests: sum(outcomes.values()),
    unsure: sum(sent.map(({ unsure }) => unsure)),
    cpuMicros: sum(sent.map(({ cpuMicros }) => cpuMicros)),
  };
}

/**
 * What pages would show, compared with it.
 * @param {import("ioredis").Redis} control @param {Truth} truth @param {readonly number[]} minutes
 * @returns {Promise<Record<string, string>>}
 */
export async function compared(control, { outcomes, came }, minutes) {
  const lateMs = await untilReported(control, outcomes);
  const top = await new ClientCounts(control).top({ minutes, most: mostShown, by: "requests", rules });
  const busiest = [...came].sort((a, b) => b[1] - a[1]).slice(0, mostShown);
  const names = busiest.map(([name]) => name);
  const found = top.map(({ name }) => name.client);
  const missed = top.map(({ name, requests }) => (came.get(name.client) ?? 0) - requests);
  const isSame = found.length === mostShown && found.every((name) => names.includes(name));
  const isInOrder = found.every((name, i) => name === names[i]);
  return {
    "totals are those that were sent": `${lateMs.toFixed(0)} ms after the last answer: ${yesOrNo(lateMs <= freshWithinMs)}`,
    "the top 20 are the true ones": `${yesOrNo(isSame)}${isInOrder ? ", in their order" : ", in another order"}`,
    "requests of the top 20 that are missing": `${sum(missed)} of ${sum(busiest.map(([, count]) => count))}, most of one client ${Math.max(...missed)}`,
  };
}

/** How long it takes until the totals are right. @param {import("ioredis").Redis} control @param {Truth["outcomes"]} truth */
async function untilReported(control, truth) {
  const from = performance.now();
  for (;;) {
    const [app] = await readTotals(control, rules);
    const isReported = [...truth].every(([outcome, count]) => app?.outcomes.get(outcome) === count);
    const lateMs = performance.now() - from;
    if (isReported) return lateMs;
    if (lateMs > 5 * freshWithinMs) return Number.POSITIVE_INFINITY;
    await pause(20);
  }
}

/** @param {Iterable<[string, number]>} counts @returns {Map<string, number>} */
function summed(counts) {
  const sums = new Map();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

/** @param {Iterable<number>} counts */
const sum = (counts) => [...counts].reduce((all, count) => all + count, 0);

/** @param {boolean} isSo */
const yesOrNo = (isSo) => (isSo ? "yes" : "NO");
