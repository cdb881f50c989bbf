import { type Block, masked } from "../ip/block.ts";
import { BlockMap } from "../ip/block-map.ts";
import type { Rule } from "../policy/schema.ts";

type Ban = NonNullable<Rule["ban"]>;

/** How often a rule denied an address, or the network that is banned in its place. */
export interface Denials {
  readonly rule: string;
  readonly ban: Ban;
  readonly target: Block;
  readonly times: number;
}

interface Counts {
  readonly ban: Ban;
  readonly ipv6Prefix: number;
  readonly v4: BlockMap;
  readonly v6: BlockMap;
}

/** The lock-out rules want wider networks typed twice, and no machine can. */
const widestIpv6 = 48;

/**
 * Denials by rule and address, in bounded memory. When it is full, new addresses are left out: whoever hammers is among the
 * first after each `take`.
 */
export class Tally {
  readonly #most: number;
  #rules = new Map<Rule, Counts>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  add(rule: Rule, ban: Ban, client: Block, times: number): void {
    let counts = this.#rules.get(rule);
    if (!counts) {
      counts = startCounts(rule, ban);
      this.#rules.set(rule, counts);
    }
    const target = client.family === 4 ? client : masked(client, counts.ipv6Prefix);
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

function startCounts({ ipv6Prefix }: Rule, ban: Ban): Counts {
  return { ban, ipv6Prefix: Math.max(ipv6Prefix, widestIpv6), v4: new BlockMap(1), v6: new BlockMap(4) };
}
