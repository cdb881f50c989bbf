import { type Block, format } from "../ip/block.ts";
import type { CountersConnection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";
import type { Denials } from "./tally.ts";

const mostAtOnce = 128;

const count = defineScript({
  lua: lua.denials,
  keys: (batch: readonly Denials[]) => batch.map(({ target }) => keyOf(target)),
  args: (batch) => batch.flatMap(({ rule, times, ban }) => [rule, times, ban.withinSeconds * 1_000]),
  reply: (counts: number[]) => counts,
});

const forget = defineScript({
  lua: lua.forgetDenials,
  keys: ({ targets }: { targets: readonly Block[]; graceMs: number }) => targets.map(keyOf),
  args: ({ graceMs }) => [graceMs],
  reply: () => undefined,
});

/** Adds to what all nodes have counted. Returns what has reached its rule's measure; `times` is then everybody's sum. */
export async function countDenials(
  counters: CountersConnection,
  denials: readonly Denials[],
): Promise<{ reached: Denials[]; failure: unknown }> {
  const reached: Denials[] = [];
  let failure: unknown;
  for (const batch of batches(counters, denials, ({ target }) => target)) {
    try {
      const counts = await count.run(counters, batch);
      for (const [i, one] of batch.entries()) {
        const times = counts[i] ?? 0;
        if (times >= one.ban.after) reached.push({ ...one, times });
      }
    } catch (error) {
      // Lost, so that no denial can count twice; other batches may lie elsewhere.
      failure = error;
    }
  }
  return { reached, failure };
}

/** Counts of these are void, by whichever rule, and for a while no denial of them counts. */
export async function forgetDenials(
  counters: CountersConnection,
  targets: readonly Block[],
  graceMs: number,
): Promise<void> {
  for (const batch of batches(counters, targets, (target) => target))
    await forget.run(counters, { targets: batch, graceMs });
}

/** On a cluster, what lies together goes together. */
function* batches<T>(
  { isCluster }: CountersConnection,
  things: readonly T[],
  targetOf: (thing: T) => Block,
): Generator<T[]> {
  const lanes = new Map<number, T[]>();
  for (const thing of things) {
    const lane = isCluster ? bucketOf(targetOf(thing)) : 0;
    const others = lanes.get(lane);
    if (others) others.push(thing);
    else lanes.set(lane, [thing]);
  }
  for (const lane of lanes.values())
    for (let from = 0; from < lane.length; from += mostAtOnce) yield lane.slice(from, from + mostAtOnce);
}

function keyOf(target: Block): string {
  return keys.denials(bucketOf(target), format(target));
}

/** One of 64: few enough that a flush is a few calls, enough to spread over a cluster. */
function bucketOf({ a, b }: Block): number {
  return Math.imul(a ^ b, 0x9e3779b1) >>> 26;
}
