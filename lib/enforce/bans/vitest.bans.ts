import { afterEach } from "vitest";
import { blockOf, isCanonical } from "../../ip/parse.ts";
import { at, testLists } from "../../manage/lists/vitest.context.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { protectedRanges } from "../lists/protected.ts";
import { policySchema, type Rule } from "../policy/schema.ts";
import { writePolicy } from "../policy/stored.ts";
import { type Bans, type BansOptions, createBans } from "./bans.ts";

export const terms = { after: 10, withinSeconds: 60, forSeconds: 600, capSeconds: 2_000 };

export function ruleWith(ban: Rule["ban"] = terms, given: Partial<Rule> = {}): Rule {
  return {
    name: "req/ip/1",
    match: { who: "anyone" },
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 5, periodSeconds: 60 }],
    requireBasic: false,
    ipv6Prefix: 64,
    cost: 1,
    mode: "enforce",
    response: { status: 429 },
    onStoreError: "open",
    ...(ban && { ban }),
    ...given,
  } as Rule;
}

/** A policy with rules of these names, each of which bans for at most so many seconds, as Redis keeps it. */
export function policyText(longest: Readonly<Record<string, number>>, version = 1): string {
  const level = { limit: 5, periodSeconds: 60 };
  const rules = Object.entries(longest).map(([name, capSeconds]) => ({
    ...{ name, client: "ip", algorithm: "fixed", levels: [level], ban: { ...terms, capSeconds } },
  }));
  const policy = policySchema.parse({ mode: "enforce", rules, tiers: {} });
  return writePolicy({ version, at: new Date().toISOString(), by: "ada", reason: "", policy });
}

export function client(text: string) {
  if (!isCanonical(text)) throw new Error(`${text} is not canonical`);
  return blockOf(text);
}

/** A server of this test file's own, empty before each test, and nodes on it that send only on demand. */
export function testBans() {
  const lists = testLists();
  const lines: string[] = [];
  afterEach(async () => {
    lines.length = 0;
  });
  return {
    lists,
    lines,
    get client() {
      return lists.client;
    },
    node(given: Partial<BansOptions> = {}): Bans {
      const connection: Connection = given.control ?? lists.log.connect();
      const ranges = protectedRanges({
        trustedProxies: [at("10.1.0.0/16")],
        neverBlock: [at("192.0.2.0/24")],
      });
      const node = createBans({
        control: connection,
        counters: connection,
        protectedRanges: () => ranges,
        app: "storefront",
        log: (line) => lines.push(line),
        ...given,
      });
      return node;
    },
    /** As if a console had recorded the ban, and the grace time after it were over. */
    async passGrace(address: string) {
      const denials = await lists.client.keys("sluice:denials:*");
      for (const key of denials.filter((name) => name.endsWith(`:${address}`)))
        await lists.client.hdel(key, "");
      await lists.client.hdel(keys.banHistory(at(address)), "");
      // A console has recorded the ban. The record of the next one has the same name if it is made in the same millisecond.
      await lists.client.del(keys.pendingBans());
    },
    /** Seconds left of the address' ban. */
    left: (address: string) => lists.client.ttl(keys.ban(at(address))),
  };
}
