import { afterEach, describe, expect, it } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { readNote } from "../../enforce/lists/entry.ts";
import { listEntries } from "../../observe/lists/scan.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { addEntries } from "../lists/add.ts";
import { at, collect } from "../lists/vitest.context.ts";
import { undo } from "../undo/undo.ts";
import { addFeed, changeFeed, removeFeed } from "./change-feed.ts";
import { requireFeed } from "./definition.ts";
import { mostKeys, readFeedKeys, syncAllKeys } from "./feed-keys.ts";
import { parseSource } from "./feed-source.ts";
import { refreshFeed } from "./refresh.ts";
import { lines, testFeeds } from "./vitest.feeds.ts";

const feeds = testFeeds();
const { lists, context, given } = feeds;
const id = "scanner-list";
const day = 86_400_000;
let guard: Guard | undefined;

afterEach(async () => {
  await guard?.close();
  guard = undefined;
});

const add = (text: string, more: Parameters<typeof given>[1] = {}) => {
  feeds.source.serve("/list", text);
  return addFeed(context(), given("/list", { keysTtlMs: day, holdPercent: 1_000, ...more }));
};
const refresh = async () => refreshFeed(context(), await requireFeed(lists.client, id));
const written = async () =>
  (await lists.client.keys("blocklist:*")).map((key) => key.slice("blocklist:".length)).sort();
const state = async () => (await readFeedKeys(lists.client)).get(id);
const admin = () => ({ ...context(), role: "admin" as const, hasSso: false });

describe("keys of a feed", () => {
  it("are entries with its name, its source and a life, follow each refresh, and go with it", async () => {
    await add("203.0.113.7\n198.18.1.0/25\n2001:db8::/48");
    expect(await written()).toEqual(["198.18.1.0/25", "2001:db8::/48", "203.0.113.7"]);
    expect(readNote((await lists.client.get("blocklist:203.0.113.7")) ?? "")).toEqual({
      ...{ reason: "feed Scanner list", by: "feed:scanner-list", via: "feed", at: expect.any(String) },
    });
    const left = await lists.client.pttl("blocklist:203.0.113.7");
    expect(left).toBeGreaterThan(day - 60_000);
    expect(left).toBeLessThanOrEqual(day);
    feeds.source.serve("/list", "203.0.113.7\n203.0.113.9\n198.18.1.0/25");
    const records = (await lists.records()).length;
    await refresh();
    expect(await written()).toEqual(["198.18.1.0/25", "203.0.113.7", "203.0.113.9"]);
    expect(await lists.records()).toHaveLength(records + 1);
    await undo(admin(), { n: records + 1 });
    expect(await written()).toContain("2001:db8::/48");
    await removeFeed(context(), { id, reason: "a test" });
    expect(await written()).toEqual([]);
    expect(await lists.client.keys("sluice:feed:keys*")).toEqual([]);
    await undo(admin(), { n: (await lists.records()).length });
    expect(await written()).toHaveLength(3);
  });

  it("are none while the feed is in shadow or paused, and after they were switched off", async () => {
    await add(lines(3), { mode: "shadow" });
    expect(await written()).toEqual([]);
    await changeFeed(context(), { id, mode: "enforce", reason: "" });
    expect(await written()).toHaveLength(3);
    await changeFeed(context(), { id, isPaused: true, reason: "" });
    expect(await written()).toEqual([]);
    await changeFeed(context(), { id, isPaused: false, reason: "" });
    expect(await written()).toHaveLength(3);
    await changeFeed(context(), { id, keysTtlMs: null, reason: "" });
    expect(await written()).toEqual([]);
    expect(await requireFeed(lists.client, id)).not.toHaveProperty("keysTtlMs");
  });

  it("never replace nor remove what others wrote", async () => {
    const added = { list: "blocklist", addresses: [at("203.0.113.0")], reason: "by hand" } as const;
    await addEntries(context(), added);
    await lists.client.set("blocklist:203.0.113.2", "a foreign program");
    await lists.client.lpush("blocklist:203.0.113.4", "no entry");
    const before = await lists.client.get("blocklist:203.0.113.0");
    await add(lines(6));
    expect(await state()).toMatchObject({ count: 3, left: 3 });
    // A person takes over a key of the feed.
    await addEntries(context(), { ...added, addresses: [at("203.0.113.10")], ttlMs: 3_600_000 });
    expect(readNote((await lists.client.get("blocklist:203.0.113.10")) ?? "").reason).toBe("by hand");
    await removeFeed(context(), { id, reason: "a test" });
    expect(await written()).toEqual(["203.0.113.0", "203.0.113.10", "203.0.113.2", "203.0.113.4"]);
    expect(await lists.client.get("blocklist:203.0.113.0")).toBe(before);
    expect(await lists.client.get("blocklist:203.0.113.2")).toBe("a foreign program");
  });

  it("leave out what wins over a feed, and what is too wide for an entry", async () => {
    await lists.client.set("safelist:203.0.113.0/24", "an office");
    await lists.client.hset(keys.neverBlock(), "198.51.100.64/28", "{}");
    feeds.source.serve("/crawlers", "198.51.100.128/25");
    await addFeed(context(), given("/crawlers", { name: "Crawlers", list: "safelist" }));
    await add(
      "203.0.113.7\n198.51.100.65\n198.51.100.66\n198.51.100.200\n192.0.2.1\n198.51.100.1\n10.0.0.0/8",
      {
        isWideConfirmed: true,
      },
    );
    expect(await written()).toEqual(["198.51.100.1"]);
  });

  it("are renewed after half of their life, and written again where they are gone", async () => {
    await add(lines(3));
    await lists.client.pexpire("blocklist:203.0.113.0", 1_000);
    await lists.client.del("blocklist:203.0.113.2");
    await syncAllKeys(context());
    expect(await written()).toHaveLength(2);
    const now = await state();
    await lists.client.hset(
      keys.feedKeys(),
      id,
      JSON.stringify({ ...now, at: (now?.at ?? 0) - day / 2 - 1 }),
    );
    await syncAllKeys(context());
    expect(await written()).toHaveLength(3);
    expect(await lists.client.pttl("blocklist:203.0.113.0")).toBeGreaterThan(day - 60_000);
  });

  it("are taken up again where the process that wrote them has ended in the middle", async () => {
    await add(lines(3));
    const [definition, keysState] = await Promise.all([
      lists.client.hget(keys.feeds(), id),
      lists.client.hget(keys.feedKeys(), id),
    ]);
    await lists.client.hdel(keys.feeds(), id);
    await syncAllKeys(context());
    expect(await written()).toEqual([]);
    await lists.client.hset(keys.feeds(), id, definition ?? "");
    await lists.client.hset(
      keys.feedKeys(),
      id,
      (keysState ?? "").replace(/"digest":"\w+"/, '"digest":"unknown"'),
    );
    await syncAllKeys(context());
    expect(await written()).toHaveLength(3);
  });

  it("stay where Redis has lost the contents, until the next refresh", async () => {
    await add(lines(3));
    for (const key of await lists.client.keys("sluice:feed:contents:*")) await lists.client.del(key);
    const now = await state();
    await lists.client.hset(keys.feedKeys(), id, JSON.stringify({ ...now, at: 0 }));
    await syncAllKeys(context());
    expect(await written()).toHaveLength(3);
    await refresh();
    expect((await state())?.count).toBe(3);
  });

  it("are none, with the reason, for a feed with more ranges than others can hold", async () => {
    const many = Array.from(
      { length: mostKeys + 1 },
      (_, i) => `198.${18 + (i >> 15)}.${(i >> 7) & 255}.${2 * (i & 127)}`,
    );
    await add(many.join("\n"));
    expect(await state()).toMatchObject({ count: 0, problem: "it has more than 20,000 ranges" });
    expect(await written()).toEqual([]);
  });

  it("of two feeds with one address: the key stays until both are gone", async () => {
    await add(lines(3));
    feeds.source.serve("/other", lines(1));
    await addFeed(context(), given("/other", { name: "Other", keysTtlMs: day }));
    await removeFeed(context(), { id, reason: "" });
    await syncAllKeys(context());
    expect(await written()).toEqual(["203.0.113.0"]);
  });

  it("are for blocklist feeds alone, with a life of an hour at least", async () => {
    await expect(add(lines(3), { list: "safelist" })).rejects.toThrow("a safelist feed has none");
    await expect(add(lines(3), { keysTtlMs: 60_000 })).rejects.toThrow("from an hour");
    const source = parseSource("AS64500");
    await expect(add(lines(3), { source, keysTtlMs: Number.POSITIVE_INFINITY })).rejects.toThrow("31 days");
  });

  it("are no decisions of people in the lists, and verdicts name the feed", async () => {
    await lists.client.set("blocklist:203.0.113.99", "by hand");
    await add(lines(3));
    const shown = await collect(listEntries(lists.client, "blocklist"));
    expect(shown.map(({ address }) => address)).toEqual(["203.0.113.99"]);
    guard = createGuard({
      redis: `redis://127.0.0.1:${lists.client.options.port}`,
      app: "shop",
      log: () => {},
    });
    await guard.ready();
    const { check, explain } = guard;
    await eventually(async () =>
      expect(await check({ ip: "203.0.113.2" })).toMatchObject({ rule: "feed:scanner-list" }),
    );
    expect(await explain({ ip: "203.0.113.2" })).toMatchObject({
      by: { kind: "feed", feed: "scanner-list" },
    });
    expect(await check({ ip: "203.0.113.99" })).toMatchObject({ by: { kind: "entry" } });
  });
});
