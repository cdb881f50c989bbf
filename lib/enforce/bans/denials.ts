import { at } from "../../at.ts";
import { type Block, format, masked } from "../../ip/block.ts";
import { BlockMap } from "../../ip/block-map.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import { type BanLengths, widestBan } from "../lists/pending-ban.ts";
import { type NetworkLengths, networkOf } from "../policy/client.ts";
import type { Rule } from "../policy/schema.ts";

type BanTerms = NonNullable<Rule["ban"]>;

/** How often a rule denied an address, or the network that is banned in its place. */
export interface Denials {
  readonly rule: string;
  readonly ban: BanTerms;
  readonly target: Block;
  readonly times: number;
}

interface DenialCounts {
  readonly ban: BanTerms;
  readonly network: NetworkLengths;
  readonly v4: BlockMap;
  readonly v6: BlockMap;
}

/**
 * Denials by rule and address, in bounded memory. When it is full, new addresses are left out: a client that hammers is
 * among the first after each `take`.
 */
export class DenialTally {
  readonly #most: number;
  #rules = new Map<Rule, DenialCounts>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  add(rule: Rule, ban: BanTerms, client: Block, times: number): void {
    let counts = this.#rules.get(rule);
    if (!counts) {
      counts = startCounts(rule, ban);
      this.#rules.set(rule, counts);
    }
    const { v4, v6 } = counts.network;
    const target = masked(client, client.family === 4 ? v4 : v6);
    const map = client.family === 4 ? counts.v4 : counts.v6;
    const before = map.get(target);
    if (before === undefined && this.#size >= this.#most) return;
    if (map.set(target, (before ?? 0) + times)) this.#size++;
  }

  /** What was counted since the last time. */
  take(): Denials[] {
    const taken: Denials[] = [];
    for (const [{ name }, { ban, v4, v6 }] of this.#rules) {
      for (const [family, map] of [[4, v4] as const, [6, v6] as const]) {
        map.forEach(({ a, b, c, d, length }, times) => {
          taken.push({ rule: name, ban, target: { family, a, b, c, d, length }, times });
        });
      }
    }
    this.#rules = new Map();
    this.#size = 0;
    return taken;
  }
}

/** No wider than a machine may ban: then a part of the network that a rule counts is banned. */
function bannedNetworkOf(rule: Rule): NetworkLengths {
  const { v4, v6 } = networkOf(rule);
  return { v4: Math.max(v4, widestBan[4]), v6: Math.max(v6, widestBan[6]) };
}

/** What rules of a policy ban. */
export function banLengthsOf(rules: readonly Rule[]): BanLengths {
  const networks = rules.filter(({ ban, mode }) => ban && mode === "enforce").map(bannedNetworkOf);
  return { 4: new Set(networks.map(({ v4 }) => v4)), 6: new Set(networks.map(({ v6 }) => v6)) };
}

function startCounts(rule: Rule, ban: BanTerms): DenialCounts {
  return { ban, network: bannedNetworkOf(rule), v4: new BlockMap(1), v6: new BlockMap(4) };
}

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
        const times = at(counts, i);
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
