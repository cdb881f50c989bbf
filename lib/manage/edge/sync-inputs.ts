import { at, valueAt } from "../../at.ts";
import { askLists } from "../../enforce/lists/lookup.ts";
import { readRanges } from "../../enforce/lists/protected.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { freshInstall, parsePolicy } from "../../enforce/policy/stored.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { type RangeList, rangeList } from "../../ip/range-list.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { readSwitch } from "./switch.ts";

/** What a pass of the sync reads from Redis beside the counts. */
export interface SyncInputs {
  readonly nowMs: number;
  readonly change: string;
  readonly policy: Policy;
  readonly isOn: boolean;
  /** Key → the minute of its clearing. */
  readonly cleared: ReadonlyMap<string, number>;
  /** Ranges that may not be denied. */
  readonly neverBlock: RangeList;
}

/** Reads the inputs at once. An unreadable policy leaves the last one in force. */
export class SyncInputsReader {
  readonly #redis: Connection;
  readonly #neverBlock: readonly (Ip | Cidr)[];
  #policy: Policy = freshInstall.policy;
  #policyText: string | undefined;

  /** @param neverBlock ranges that the environment names, in addition to those in Redis */
  constructor(redis: Connection, neverBlock: readonly (Ip | Cidr)[]) {
    this.#redis = redis;
    this.#neverBlock = neverBlock;
  }

  async read(): Promise<SyncInputs> {
    const redis = this.#redis;
    const [nowMs, change, policy, edge, cleared, neverBlock] = await Promise.all([
      redisNow(redis),
      redis.get(keys.change()),
      redis.get(keys.policy()).catch(() => null),
      redis.get(keys.edgeSwitch()),
      redis.hgetall(keys.edgeCleared()),
      redis.hgetall(keys.neverBlock()).catch(() => ({})),
    ]);
    const stored = readRanges(new Map(Object.entries(neverBlock))).ranges;
    return {
      nowMs,
      change: change ?? "",
      policy: this.#parse(policy ?? ""),
      isOn: readSwitch(edge).isOn,
      cleared: new Map(Object.entries(cleared).map(([key, minute]) => [key, Number(minute)])),
      neverBlock: rangeList([...this.#neverBlock, ...stored.map(({ range }) => range)]),
    };
  }

  #parse(text: string): Policy {
    if (text === this.#policyText) return this.#policy;
    const parsed = text === "" ? { ok: true as const, stored: freshInstall } : parsePolicy(text);
    if (parsed.ok) this.#policy = parsed.stored.policy;
    this.#policyText = text;
    return this.#policy;
  }
}

/** Addresses looked up in a second while no change is announced. */
const lookupsASecond = 1_000;
/** More at once would block the event loop. */
const mostAtOnce = 250;

/** Addresses that may not be denied. */
export class ExemptAddresses {
  readonly #redis: Connection;
  #known = new Map<Ip, boolean>();
  #change = "";
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** Another program may write to the lists without announcing it, so every address is looked up again in time. */
  async among(ips: Iterable<Ip>, { change, neverBlock }: SyncInputs): Promise<(ip: Ip) => boolean> {
    const now = performance.now();
    const isDue = now - this.#readAt >= Math.floor(this.#known.size / lookupsASecond) * 1_000;
    if (isDue || change !== this.#change) {
      this.#known = new Map();
      this.#change = change;
      this.#readAt = now;
    }
    const known = this.#known;
    const unknown = [...new Set(ips)].filter((ip) => !known.has(ip));
    const isExempt = async (ip: Ip) => {
      const block = blockOf(ip);
      if (neverBlock.overlapping(block) !== undefined) return true;
      return (await askLists(this.#redis, block, () => neverBlock)).match("safelist", block) !== undefined;
    };
    for (let from = 0; from < unknown.length; from += mostAtOnce) {
      const some = unknown.slice(from, from + mostAtOnce);
      const found = await Promise.all(some.map(isExempt));
      for (const [i, ip] of some.entries()) known.set(ip, at(found, i));
    }
    return (ip) => valueAt(known, ip);
  }
}
