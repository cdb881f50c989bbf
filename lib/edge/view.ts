import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import { type RangeList, rangeList } from "../ip/range-list.ts";
import { askLists } from "../lists/ask.ts";
import { readRanges } from "../lists/never-block-ranges.ts";
import type { Policy } from "../policy/schema.ts";
import { freshInstall, parsePolicy } from "../policy/stored.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { readSwitch } from "./switch.ts";

/** What decides beside the counts, as Redis has it now. */
export interface View {
  readonly nowMs: number;
  readonly change: string;
  readonly policy: Policy;
  readonly isOn: boolean;
  /** Key → the minute in which somebody let it in again. */
  readonly cleared: ReadonlyMap<string, number>;
  /** Ranges that nobody may turn away. */
  readonly neverBlock: RangeList;
}

/** Reads it in one go. What stands in a key that is no policy leaves the last one in force. */
export class Viewer {
  readonly #redis: Connection;
  readonly #neverBlock: readonly (Ip | Cidr)[];
  #policy: Policy = freshInstall.policy;
  #policyText: string | undefined;

  /** @param neverBlock what the environment names; what Redis names comes on top */
  constructor(redis: Connection, neverBlock: readonly (Ip | Cidr)[]) {
    this.#redis = redis;
    this.#neverBlock = neverBlock;
  }

  async look(): Promise<View> {
    const redis = this.#redis;
    const [time, change, policy, edge, cleared, neverBlock] = await Promise.all([
      redis.time(),
      redis.get(keys.change()),
      redis.get(keys.policy()).catch(() => null),
      redis.get(keys.edgeSwitch()),
      redis.hgetall(keys.edgeCleared()),
      redis.hgetall(keys.neverBlock()).catch(() => ({})),
    ]);
    const held = readRanges(new Map(Object.entries(neverBlock))).ranges;
    return {
      nowMs: Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000),
      change: change ?? "",
      policy: this.#read(policy ?? ""),
      isOn: readSwitch(edge).isOn,
      cleared: new Map(Object.entries(cleared).map(([key, minute]) => [key, Number(minute)])),
      neverBlock: rangeList([...this.#neverBlock, ...held.map(({ range }) => range)]),
    };
  }

  #read(text: string): Policy {
    if (text === this.#policyText) return this.#policy;
    const parsed = text === "" ? { ok: true as const, stored: freshInstall } : parsePolicy(text);
    if (parsed.ok) this.#policy = parsed.stored.policy;
    this.#policyText = text;
    return this.#policy;
  }
}

/** So many addresses are looked up in a second when nothing says that anything has changed. */
const looksASecond = 1_000;

/** Which addresses nobody may turn away. */
export class FreeAddresses {
  readonly #redis: Connection;
  #known = new Map<Ip, boolean>();
  #change = "";
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** Others may write to the lists without a change's number, so everybody is looked up again, sooner or later. */
  async among(ips: Iterable<Ip>, { change, neverBlock }: View): Promise<(ip: Ip) => boolean> {
    const now = performance.now();
    const isDue = now - this.#lookedAt >= Math.floor(this.#known.size / looksASecond) * 1_000;
    if (isDue || change !== this.#change) {
      this.#known = new Map();
      this.#change = change;
      this.#lookedAt = now;
    }
    const unknown = [...new Set(ips)].filter((ip) => !this.#known.has(ip));
    const isFree = async (ip: Ip) => {
      const block = blockOf(ip);
      if (neverBlock.overlapping(block) !== undefined) return true;
      return (await askLists(this.#redis, block, neverBlock)).match("safelist", block) !== undefined;
    };
    const found = await Promise.all(unknown.map(isFree));
    for (const [i, ip] of unknown.entries()) this.#known.set(ip, found[i] ?? false);
    const known = this.#known;
    return (ip) => known.get(ip) ?? false;
  }
}
