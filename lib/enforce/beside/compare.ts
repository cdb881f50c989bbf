import { overlaps } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { type Algorithm, shareUsed } from "../algorithms/algorithms.ts";
import type { Outcome, Trouble } from "../guard/verdict.ts";

/** What the old limiter decided about a request. What is unknown is left out. */
export interface OldDecision {
  readonly isDenied: boolean;
  /** False if the old limiter skipped the request. */
  readonly isCounted?: boolean | undefined;
  /** What it counted the request by. */
  readonly key?: string | undefined;
  readonly limit?: number | undefined;
  /** Requests in its window, this one included. */
  readonly used?: number | undefined;
  readonly windowSeconds?: number | undefined;
  /** Until its window ends. */
  readonly resetSeconds?: number | undefined;
}

/** One level of a rule, as Sluice counted the request. */
export interface CountedLevel {
  readonly rule: string;
  readonly algorithm: Algorithm;
  /** What the rule counted. */
  readonly client: string;
  readonly limit: number;
  readonly periodSeconds: number;
  /** Before this request. */
  readonly used: number;
  readonly cost: number;
  readonly resetSeconds: number;
  /** Undefined for an exact level. */
  readonly slack?: number | undefined;
  readonly isOver: boolean;
}

/** What Sluice decided about the same request, or would have decided if it were enforced. */
export interface SluiceDecision {
  readonly isDenied: boolean;
  readonly outcome: Outcome;
  /** What decided: a list entry or a rule. */
  readonly rule?: string | undefined;
  readonly trouble?: Trouble | undefined;
  readonly isOff: boolean;
  readonly levels: readonly CountedLevel[];
}

/** Who asked. */
export interface ComparedClient {
  /** The client's address, as Sluice knows it. */
  readonly ip?: string | undefined;
  /** The other end of the connection. */
  readonly peer: string;
  readonly customerId?: string | undefined;
}

/**
 * Why the two decided differently.
 * - `safelist`, `blocklist`, `off`: Sluice's lists or mode decided.
 * - `unknown-client`, `unavailable`: Sluice could not check the request: no address, or Redis did not answer.
 * - `no-rule`: no rule of Sluice counts the request. `skipped`: the old limiter did not count it.
 * - `limit`: the limits differ, and with one limit both would have decided the same.
 * - `key-proxy`, `key-ipv6`, `key-customer`, `key`: they count by other keys: another address because of proxies, IPv6 networks of
 *   another size, a customer, or anything else.
 * - `cost`: Sluice charges another cost than 1. `slack`: the rule of Sluice may be exceeded a little.
 * - `window-length`, `window-start`: their windows have other lengths, or begin at other moments.
 * - `count`: same limit, key and window, and other counts: one began later, or does not count in all processes.
 * - `unknown`: the old limiter has not said what it counted.
 */
export const reasons = [
  ...(["safelist", "blocklist", "off", "unknown-client", "unavailable", "no-rule", "skipped"] as const),
  ...(["limit", "key-proxy", "key-ipv6", "key-customer", "key", "cost", "slack"] as const),
  ...(["window-length", "window-start", "count", "unknown"] as const),
] as const;

export type Reason = (typeof reasons)[number];

export interface Explained {
  readonly reason: Reason;
  /** The level of Sluice that is compared. Undefined where no level was counted. */
  readonly level?: CountedLevel | undefined;
  /** The reason in a sentence, with numbers. */
  readonly says: string;
}

const fewestKeys = 10_000;

/** Which keys of the old limiter and which clients of Sluice go together: two spellings of one client are no difference. */
export class KeyPairs {
  #clientOfKey = new Map<string, string | undefined>();
  #keyOfClient = new Map<string, string | undefined>();

  note(key: string, client: string): void {
    if (this.#clientOfKey.size + this.#keyOfClient.size > 2 * fewestKeys) {
      this.#clientOfKey.clear();
      this.#keyOfClient.clear();
    }
    pair(this.#clientOfKey, key, client);
    pair(this.#keyOfClient, client, key);
  }

  /** Whether one of the two counts together what the other counts apart. */
  differ(key: string, client: string): boolean {
    const isKnown = this.#clientOfKey.has(key) && this.#keyOfClient.has(client);
    return isKnown && (this.#clientOfKey.get(key) !== client || this.#keyOfClient.get(client) !== key);
  }
}

/** Undefined: more than one. */
function pair(map: Map<string, string | undefined>, one: string, other: string): void {
  if (!map.has(one)) map.set(one, other);
  else if (map.get(one) !== other) map.set(one, undefined);
}

/** The level of Sluice that the old limiter is compared with: the one that decided, else the most similar one. */
export function levelBeside(old: OldDecision, { levels }: SluiceDecision): CountedLevel | undefined {
  const likeness = (level: CountedLevel) =>
    (level.isOver ? 8 : 0) +
    (level.limit === old.limit ? 4 : 0) +
    (level.periodSeconds === old.windowSeconds ? 2 : 0) +
    Math.min(1, shareUsed(level.used + level.cost, level.limit));
  return levels.reduce<CountedLevel | undefined>(
    (best, level) => (best && likeness(best) >= likeness(level) ? best : level),
    undefined,
  );
}

/** Why the old limiter and Sluice decided differently. @param pairs what is known of the keys of that level */
export function explainDifference(
  old: OldDecision,
  sluice: SluiceDecision,
  client: ComparedClient,
  pairs: KeyPairs | undefined,
): Explained {
  const { trouble, outcome, rule } = sluice;
  if (trouble === "unknown-client")
    return say("unknown-client", "Sluice knows no address of the client, so it checked nothing.");
  if (outcome === "safelisted") return say("safelist", `Sluice lets the client pass by ${rule}.`);
  if (outcome === "blocked") return say("blocklist", `Sluice blocks the client by ${rule}.`);
  if (sluice.isOff) return say("off", "The mode of Sluice is off, so no rule counted the request.");
  if (trouble !== undefined && trouble !== "bad-cost")
    return say("unavailable", `Sluice could not count the request (${trouble}).`);
  const level = levelBeside(old, sluice);
  if (!level) return say("no-rule", "No rule of Sluice counts this request.");
  if (old.isCounted === false)
    return say("skipped", `The old limiter did not count this request. ${sayLevel(level)}`, level);
  return explainCounts(old, level, client, pairs);
}

/** Ends of one window may differ by this much: the old limiter and Sluice count a request one after the other. */
const sameEndSeconds = 2;

function explainCounts(
  old: OldDecision,
  level: CountedLevel,
  client: ComparedClient,
  pairs: KeyPairs | undefined,
): Explained {
  const { limit, used, key, windowSeconds, resetSeconds } = old;
  const both = `${sayOld(old)} ${sayLevel(level)}`;
  const needed = level.used + level.cost;
  if (limit !== undefined && limit !== level.limit && needed > limit === old.isDenied)
    return say("limit", `The limits differ: ${limit} and ${level.limit}. ${both}`, level);
  if (key !== undefined && pairs?.differ(key, level.client)) {
    const { reason, says } = explainKey(key, level.client, client);
    return say(reason, `${says} ${both}`, level);
  }
  if (used === undefined)
    return say("unknown", `What the old limiter counted is unknown: see the option "old". ${both}`, level);
  if (level.cost !== 1) return say("cost", `Sluice charges ${level.cost} for this request. ${both}`, level);
  if (windowSeconds !== undefined && Math.abs(windowSeconds - level.periodSeconds) > 1)
    return say(
      "window-length",
      `The windows are ${windowSeconds} s and ${level.periodSeconds} s. ${both}`,
      level,
    );
  const isEndKnown = resetSeconds !== undefined;
  if (!isWindow(level) || (isEndKnown && Math.abs(resetSeconds - level.resetSeconds) > sameEndSeconds))
    return say("window-start", `${sayWindow(level)} ${both}`, level);
  if (level.slack !== undefined)
    return say("slack", `The rule has slack, so nodes count late. Remove it to compare. ${both}`, level);
  return say(
    "count",
    `The counts differ: one of the two began later, or the old limiter counts in each process. ${both}`,
    level,
  );
}

function explainKey(
  key: string,
  counted: string,
  client: ComparedClient,
): Pick<Explained, "reason" | "says"> {
  const [old, own, ip, peer] = [key, counted, client.ip, client.peer].map((text) => readBlock(text ?? ""));
  if (
    client.customerId !== undefined &&
    counted.endsWith(client.customerId) &&
    !key.endsWith(client.customerId)
  )
    return { reason: "key-customer", says: "Sluice counts the customer, the old limiter something else." };
  if (!old || !own || !ip || !peer)
    return { reason: "key", says: "The old limiter and Sluice count by other keys." };
  if (overlaps(old, own))
    return { reason: "key-ipv6", says: `IPv6 networks differ: /${old.length} and /${own.length}.` };
  if (overlaps(old, peer))
    return {
      reason: "key-proxy",
      says: "The old limiter counts the address of the connection, Sluice the one that trusted proxies name.",
    };
  if (overlaps(own, peer))
    return {
      reason: "key-proxy",
      says: "Sluice counts the address of the connection, the old limiter believes a header. See trustedProxies.",
    };
  return { reason: "key", says: "The old limiter and Sluice take other addresses for the client's." };
}

/** Its count ends at one moment, as a window of the old limiter does. */
const isWindow = ({ algorithm }: CountedLevel) => algorithm === "fixed" || algorithm === "first-hit";

function sayWindow({ algorithm }: CountedLevel): string {
  if (algorithm === "fixed")
    return "Windows of Sluice begin with the clock (fixed), the old ones at other moments.";
  if (algorithm === "first-hit") return "Both windows begin with the first request, at other moments.";
  return `Sluice has no window that ends at one moment (${algorithm}).`;
}

function sayOld({ isDenied, limit, used, windowSeconds }: OldDecision): string {
  if (used === undefined || limit === undefined)
    return `The old limiter ${isDenied ? "denied" : "let pass"}.`;
  const per = windowSeconds === undefined ? "" : ` per ${windowSeconds} s`;
  return `The old limiter had ${used} of ${limit}${per}, this request included.`;
}

function sayLevel({ rule, used, limit, periodSeconds }: CountedLevel): string {
  return `Rule ${rule} had ${Math.round(used * 100) / 100} of ${limit} per ${periodSeconds} s before it.`;
}

function say(reason: Reason, says: string, level?: CountedLevel): Explained {
  return { reason, says, ...(level && { level }) };
}
