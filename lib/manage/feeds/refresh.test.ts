import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { format } from "../../ip/block.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { undo } from "../undo/undo.ts";
import { addFeed, changeFeed, decideHeld, removeFeed } from "./change-feed.ts";
import { readFeeds, requireFeed } from "./definition.ts";
import { contentsOf } from "./feed-contents.ts";
import { parseSource } from "./feed-source.ts";
import { newState, readStates } from "./feed-state.ts";
import { refreshFeed } from "./refresh.ts";
import { FeedRefresher } from "./refresher.ts";
import { lines, testFeeds } from "./vitest.feeds.ts";
import type { Source } from "./vitest.source.ts";

const feeds = testFeeds();
const { lists, context, given } = feeds;
let source: Source;
let guard: Guard | undefined;

beforeAll(() => {
  source = feeds.source;
});
afterEach(async () => {
  await guard?.close();
  guard = undefined;
});

async function newGuard(): Promise<Guard> {
  const redis = `redis://127.0.0.1:${lists.client.options.port}`;
  guard = createGuard({ redis, app: "shop", log: () => {} });
  await guard.ready();
  return guard;
}

const refresh = async () => refreshFeed(context(), await requireFeed(lists.client, "scanner-list"));
const state = async () => (await readStates(lists.client)).get("scanner-list");

const heldDigest = async () => (await state())?.held?.contents.digest ?? "";

async function inForce(): Promise<(Ip | Cidr)[]> {
  const { id, contents } = await requireFeed(lists.client, "scanner-list");
  return [...((await contentsOf(lists.client, id, contents?.digest)) ?? [])].map(format);
}

describe("a refresh", () => {
  it("brings new contents into force within a second, with one record that names both counts", async () => {
    source.serve("/list", lines(10));
    const { refreshed } = await addFeed(context(), given("/list"));
    expect(refreshed).toMatchObject({ is: "changed", contents: { ranges: 10, added: 10, removed: 0 } });
    const { check } = await newGuard();
    expect(await check({ ip: "203.0.113.4" })).toMatchObject({
      outcome: "blocked",
      rule: "feed:scanner-list",
    });
    source.serve("/list", `${lines(9)}\n203.0.113.200\n203.0.113.202\n`);
    const startedAt = performance.now();
    expect(await refresh()).toMatchObject({ is: "changed", contents: { ranges: 11, added: 2, removed: 1 } });
    await eventually(async () => expect((await check({ ip: "203.0.113.200" })).outcome).toBe("blocked"));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect((await check({ ip: "203.0.113.18" })).outcome).toBe("pass");
    expect((await lists.records()).map(({ action }) => action)).toEqual([
      "feed.add",
      "feed.refresh",
      "feed.refresh",
    ]);
    expect(await lists.client.keys("sluice:feed:contents:*")).toHaveLength(2);
    for (const key of await lists.client.keys("sluice:feed:contents:*"))
      expect(await lists.client.pttl(key)).toBe(-1);
    await lists.expectSoundChain(3);
  });

  it("writes nothing where the source has not changed, by 304 or by the same lines", async () => {
    source.serve("/list", (request, response) => {
      response.setHeader("etag", '"7"');
      if (request.headers["if-none-match"] === '"7"') response.writeHead(304).end();
      else response.end(lines(10));
    });
    await addFeed(context(), given("/list"));
    const records = (await lists.records()).length;
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(source.requests.at(-1)?.headers["if-none-match"]).toBe('"7"');
    source.serve("/list", lines(10));
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(await lists.records()).toHaveLength(records);
    // What Redis has lost is read again.
    for (const key of await lists.client.keys("sluice:feed:contents:*")) await lists.client.del(key);
    await refresh();
    expect(await inForce()).toHaveLength(10);
  });

  it("asks without conditions once a day: a server may always say that nothing has changed", async () => {
    let count = 10;
    source.serve("/list", (request, response) => {
      response.setHeader("etag", '"always"');
      if (request.headers["if-none-match"] !== undefined) response.writeHead(304).end();
      else response.end(lines(count));
    });
    await addFeed(context(), given("/list"));
    count = 12;
    expect(await refresh()).toEqual({ is: "unchanged" });
    const readAt = Date.now() - 25 * 3_600_000;
    const text = JSON.stringify({ ...(await state()), readAt });
    await lists.client.hset(keys.feedStates(), "scanner-list", text);
    expect(await refresh()).toMatchObject({ is: "changed", contents: { ranges: 12 } });
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(source.requests.at(-1)?.headers["if-none-match"]).toBe('"always"');
  });

  it("waits for a person where more than half has changed, and for an empty feed", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    for (const text of [lines(30), lines(4), "", "# nothing\n"]) {
      source.serve("/list", text);
      expect(await refresh()).toMatchObject({ is: "held" });
      expect(await inForce()).toHaveLength(10);
    }
    source.serve("/list", lines(30));
    await refresh();
    const held = (await state())?.held;
    expect(held).toMatchObject({ percent: 200, contents: { ranges: 30, added: 20, removed: 0 } });
    const digest = held?.contents.digest ?? "";
    await decideHeld(context(), {
      id: "scanner-list",
      digest,
      accept: true,
      reason: "they have a new sensor",
    });
    expect(await inForce()).toHaveLength(30);
    expect((await state())?.held).toBeNull();
    await expect(
      decideHeld(context(), { id: "scanner-list", digest, accept: true, reason: "again" }),
    ).rejects.toThrow("not the same any more");
  });

  it("waits for a person where other ranges replace more than half, and their number is the same", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(10, "198.51.100"));
    expect(await refresh()).toMatchObject({ is: "held" });
    expect(await inForce()).toContain("203.0.113.4");
    expect((await state())?.held).toMatchObject({ percent: 100, contents: { added: 10, removed: 10 } });
    source.serve("/list", `${lines(5)}\n${lines(5, "198.51.100")}`);
    expect(await refresh()).toMatchObject({ is: "changed", contents: { added: 5, removed: 5 } });
  });

  it("does not ask again about contents that a person has refused", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(30));
    await refresh();
    const digest = (await state())?.held?.contents.digest ?? "";
    await decideHeld(context(), { id: "scanner-list", digest, accept: false, reason: "no" });
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect((await state())?.held).toBeNull();
    expect(await inForce()).toHaveLength(10);
    source.serve("/list", lines(31));
    expect(await refresh()).toMatchObject({ is: "held" });
  });

  it("keeps the contents of a feed that fails, says since when, and ends them after the time chosen", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list", { keepMs: 3_600_000 }));
    source.serve("/list", (_, response) => response.writeHead(404).end());
    expect(await refresh()).toMatchObject({ is: "failed", cause: expect.stringContaining("HTTP 404") });
    const since = (await state())?.failing?.since ?? 0;
    expect(since).toBeGreaterThan(Date.now() - 60_000);
    await refresh();
    expect((await state())?.failing).toMatchObject({ since, tries: 2 });
    expect(await inForce()).toHaveLength(10);
    const before = await state();
    const failing = { ...before?.failing, since: since - 3_700_000 };
    await lists.client.hset(keys.feedStates(), "scanner-list", JSON.stringify({ ...before, failing }));
    await refresh();
    expect(await inForce()).toEqual([]);
    source.serve("/list", lines(10));
    expect(await refresh()).toMatchObject({ is: "changed" });
    expect((await state())?.failing).toBeNull();
  });

  it("never has the author's own address, nor 0.0.0.0/0, nor a wide range that is not confirmed", async () => {
    source.serve("/list", "0.0.0.0/0\n198.51.100.0/24\n198.18.0.0/16\n203.0.113.7\n");
    const { feed } = await addFeed(context(), given("/list"));
    const own = async (text: string) =>
      (
        await contentsOf(lists.client, feed.id, (await requireFeed(lists.client, feed.id)).contents?.digest)
      )?.covering({
        family: 4,
        a: text.split(".").reduce((sum, part) => (sum << 8) | Number(part), 0),
        b: 0,
        c: 0,
        d: 0,
        length: 32,
      }) !== undefined;
    expect([await own("198.51.100.24"), await own("198.51.100.25"), await own("198.18.0.1")]).toEqual([
      ...[false, true, false],
    ]);
    expect((await state())?.left).toEqual({ wide: 1, tooWide: 1, unread: 0 });
    await changeFeed(context("203.0.113.7"), {
      id: feed.id,
      isWideConfirmed: true,
      reason: "it is a datacenter",
    });
    await eventually(async () => expect(await state()).toBeDefined());
    const held = (await state())?.held;
    const digest = held?.contents.digest ?? "";
    await decideHeld(context("198.18.0.9"), { id: feed.id, digest, accept: true, reason: "it is wide" });
    expect([await own("198.18.0.1"), await own("198.18.0.9"), await own("203.0.113.7")]).toEqual([
      ...[true, false, false],
    ]);
  });

  it("is undone once, and does not come back until the source has other contents", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(12));
    await refresh();
    const last = (await lists.records()).at(-1)?.n ?? 0;
    await undo({ ...context(), role: "admin", hasSso: false }, { n: last, reason: "customers were hit" });
    expect(await inForce()).toHaveLength(10);
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(await inForce()).toHaveLength(10);
    await expect(undo({ ...context(), role: "admin", hasSso: false }, { n: last })).rejects.toThrow();
    source.serve("/list", lines(13));
    expect(await refresh()).toMatchObject({ is: "changed" });
    await expect(undo({ ...context(), role: "staff", hasSso: false }, { n: last })).rejects.toThrow("admin");
  });
});

describe("the address of an admin", () => {
  const [own, other] = ["192.0.2.5", "192.0.2.9"];
  const admin = (of: string) => ({ ...context(of), role: "admin" as const, hasSso: false });
  const scanners = { id: "scanner-list", reason: "a test" };

  async function msLeftOfContents(): Promise<number> {
    const { contents } = await requireFeed(lists.client, "scanner-list");
    return lists.client.pttl(keys.feedContents("scanner-list", contents?.digest ?? ""));
  }

  it("is left out of what its admin refreshes, now and later", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", `${lines(10)}\n${own}\n${other}`);
    await refreshFeed(context(own), await requireFeed(lists.client, "scanner-list"));
    expect(await inForce()).toContain(other);
    expect(await inForce()).not.toContain(own);
    source.serve("/list", `${lines(11)}\n${own}\n${other}`);
    await refresh();
    expect(await inForce()).toHaveLength(12);
    expect(await inForce()).not.toContain(own);
  });

  it("is left out of what its admin brings back by an undo", async () => {
    source.serve("/list", `${lines(10)}\n${own}`);
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(10));
    await refresh();
    const last = (await lists.records()).at(-1)?.n ?? 0;
    await undo(admin(own), { n: last, reason: "a test" });
    expect(await inForce()).toHaveLength(10);
    expect(await inForce()).not.toContain(own);
    expect((await requireFeed(lists.client, "scanner-list")).exempt).toEqual(["198.51.100.24", own]);
    expect(await msLeftOfContents()).toBe(-1);
  });

  it("is left out of a feed that is enforced again by an undo", async () => {
    source.serve("/list", `${lines(10)}\n${own}`);
    await addFeed(context(), given("/list"));
    await changeFeed(context(), { ...scanners, isPaused: true });
    const last = (await lists.records()).at(-1)?.n ?? 0;
    await undo(admin(own), { n: last, reason: "a test" });
    expect(await requireFeed(lists.client, "scanner-list")).toMatchObject({ isPaused: false });
    expect(await inForce()).toHaveLength(10);
    expect(await inForce()).not.toContain(own);
    expect(await msLeftOfContents()).toBe(-1);
  });

  it("is left out of contents that waited while it was added", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", `${lines(30)}\n${own}\n${other}`);
    await refresh();
    await changeFeed(context(other), { ...scanners, mode: "shadow" });
    const digest = (await state())?.held?.contents.digest ?? "";
    await decideHeld(context(own), { ...scanners, digest, accept: true });
    expect(await inForce()).toHaveLength(30);
    expect(await inForce()).not.toContain(own);
    expect(await inForce()).not.toContain(other);
  });

  it("is left out of contents that a refresh brings while its admin changes the feed", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list", { mode: "shadow" }));
    const ctx = context(own);
    const reading = vi.spyOn(ctx.redis, "getBuffer");
    reading.mockImplementationOnce(async (key) => {
      reading.mockRestore();
      const bytes = await ctx.redis.getBuffer(key);
      source.serve("/list", `${lines(10)}\n${own}`);
      expect(await refresh()).toMatchObject({ is: "changed" });
      return bytes;
    });
    await changeFeed(ctx, { ...scanners, mode: "enforce" });
    expect(await msLeftOfContents()).toBe(-1);
    expect(await requireFeed(lists.client, "scanner-list")).toMatchObject({ mode: "enforce" });
    expect(await inForce()).toHaveLength(10);
    expect(await inForce()).not.toContain(own);
  });

  it("is remembered for the newest 20", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    for (let i = 0; i < 25; i++)
      await changeFeed(context(`192.0.2.${i}`), { ...scanners, mode: i % 2 === 0 ? "shadow" : "enforce" });
    const { exempt } = await requireFeed(lists.client, "scanner-list");
    expect(exempt).toEqual(Array.from({ length: 20 }, (_, i) => `192.0.2.${i + 5}`));
  });
});

describe("contents that Redis has lost", () => {
  it("are in force again after a refresh, also on nodes that started without them", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(12));
    await refresh();
    const { contents, previous } = await requireFeed(lists.client, "scanner-list");
    await lists.client.del(keys.feedContents("scanner-list", contents?.digest ?? ""));
    const { check } = await newGuard();
    expect((await check({ ip: "203.0.113.4" })).outcome).toBe("pass");
    expect(await refresh()).toMatchObject({ is: "changed", contents: { ranges: 12 } });
    await eventually(async () => expect((await check({ ip: "203.0.113.4" })).outcome).toBe("blocked"));
    const after = await requireFeed(lists.client, "scanner-list");
    expect(after.previous).toEqual(previous);
    expect(await lists.client.exists(keys.feedContents("scanner-list", previous?.digest ?? ""))).toBe(1);
  });

  it("of before are not kept once the feed has ended by failing", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list", { keepMs: 3_600_000 }));
    source.serve("/list", lines(12));
    await refresh();
    const { previous } = await requireFeed(lists.client, "scanner-list");
    source.serve("/list", (_, response) => response.writeHead(404).end());
    const failing = { since: Date.now() - 3_700_000, tries: 1, cause: "HTTP 404" };
    await lists.client.hset(
      keys.feedStates(),
      "scanner-list",
      JSON.stringify({ ...(await state()), failing }),
    );
    await refresh();
    expect(await inForce()).toEqual([]);
    const left = await lists.client.pttl(keys.feedContents("scanner-list", previous?.digest ?? ""));
    expect(left).toBeGreaterThan(0);
  });
});

describe("contents that wait for a person", () => {
  const msLeft = (digest: string) => lists.client.pttl(keys.feedContents("scanner-list", digest));
  const decide = (digest: string, accept: boolean) =>
    decideHeld(context(), { id: "scanner-list", digest, accept, reason: "a test" });

  it("go soon once others wait, or none do: a source may change each minute", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    const held = async (count: number) => {
      source.serve("/list", lines(count));
      expect(await refresh()).toMatchObject({ is: "held" });
      expect(await msLeft(await heldDigest())).toBeGreaterThan(24 * 3_600_000);
      return heldDigest();
    };
    const [first, second] = [await held(30), await held(31)];
    expect(await msLeft(first)).toBeLessThanOrEqual(60_000);
    source.serve("/list", lines(10));
    await refresh();
    expect(await msLeft(second)).toBeLessThanOrEqual(60_000);
    const third = await held(32);
    await decide(third, false);
    expect(await msLeft(third)).toBeLessThanOrEqual(60_000);
    const fourth = await held(33);
    source.serve("/list", lines(11));
    expect(await refresh()).toMatchObject({ is: "changed" });
    expect(await msLeft(fourth)).toBeLessThanOrEqual(60_000);
    const { contents, previous } = await requireFeed(lists.client, "scanner-list");
    expect([await msLeft(contents?.digest ?? ""), await msLeft(previous?.digest ?? "")]).toEqual([-1, -1]);
  });

  it("stay where they are those of before, which an undo brings back", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(20));
    await refresh();
    const before = await heldDigest();
    await decide(before, true);
    source.serve("/list", lines(10));
    await changeFeed(context(), { id: "scanner-list", holdPercent: 10, reason: "a test" });
    expect(await refresh()).toMatchObject({ is: "held" });
    source.serve("/list", lines(20));
    await refresh();
    const { previous } = await requireFeed(lists.client, "scanner-list");
    expect(await msLeft(previous?.digest ?? "")).toBeGreaterThan(60_000);
  });

  it("are kept as long as they wait, and read again where Redis has lost them", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", (request, response) => {
      response.setHeader("etag", '"7"');
      if (request.headers["if-none-match"] === '"7"') response.writeHead(304).end();
      else response.end(lines(30));
    });
    await refresh();
    const key = keys.feedContents("scanner-list", await heldDigest());
    await lists.client.pexpire(key, 60_000);
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(await lists.client.pttl(key)).toBeGreaterThan(24 * 3_600_000);
    await lists.client.del(key);
    expect(await refresh()).toMatchObject({ is: "held", contents: { ranges: 30 } });
    await decide(await heldDigest(), true);
    expect(await inForce()).toHaveLength(30);
  });

  it("are not accepted where Redis has lost them", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(30));
    await refresh();
    const digest = await heldDigest();
    await lists.client.del(keys.feedContents("scanner-list", digest));
    await expect(decide(digest, true)).rejects.toThrow("no longer kept");
    expect(await inForce()).toHaveLength(10);
  });

  it("wait no longer once they are accepted while the source is read", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", lines(30));
    await refresh();
    const digest = await heldDigest();
    source.serve("/list", (_, response) => void decide(digest, true).then(() => response.end(lines(30))));
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect((await state())?.held).toBeNull();
    expect(await inForce()).toHaveLength(30);
  });
});

describe("a refresh of a feed that was changed since it was read", () => {
  it("changes nothing, and says nothing of it", async () => {
    source.serve("/list", lines(10));
    source.serve("/moved", lines(9));
    await addFeed(context(), given("/list"));
    const read = await requireFeed(lists.client, "scanner-list");
    await changeFeed(context(), {
      ...{ id: "scanner-list", reason: "it has moved" },
      source: parseSource(source.url("/moved")),
    });
    const stored = () =>
      Promise.all([keys.feeds(), keys.feedStates()].map((key) => lists.client.hgetall(key)));
    const before = await stored();
    for (const text of [lines(11), lines(30), "", lines(10)]) {
      source.serve("/list", text);
      expect(await refreshFeed(context(), read)).toEqual({ is: "unchanged" });
      expect(await stored()).toEqual(before);
    }
    source.serve("/list", (_, response) => response.writeHead(500).end());
    expect(await refreshFeed(context(), read)).toMatchObject({ is: "failed" });
    expect(await stored()).toEqual(before);
    await removeFeed(context(), { id: "scanner-list", reason: "not needed" });
    source.serve("/list", lines(10));
    await refreshFeed(context(), read);
    expect(await readStates(lists.client)).toEqual(new Map());
  });

  it("does not take back what another refresh has brought", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    source.serve("/list", (_, response) => {
      source.serve("/list", lines(12));
      void refresh().then(() => response.end(lines(11)));
    });
    expect(await refresh()).toEqual({ is: "unchanged" });
    expect(await inForce()).toHaveLength(12);
  });

  it("is not begun by the process that refreshes all", async () => {
    source.serve("/list", lines(10));
    source.serve("/other", lines(10));
    const ctx = context();
    await addFeed(ctx, given("/list"));
    await addFeed(ctx, given("/other", { name: "Tor exits" }));
    for (const id of ["scanner-list", "tor-exits"])
      await lists.client.hset(keys.feedStates(), id, JSON.stringify({ ...newState, nextAt: 0 }));
    source.requests.length = 0;
    source.serve("/list", (_, response) => {
      const paused = changeFeed(context(), { id: "tor-exits", isPaused: true, reason: "a test" });
      void paused.then(() => response.end(lines(10)));
    });
    await new FeedRefresher({ context: context(), log: () => {} }).once();
    expect(source.requests.map(({ url }) => url)).toEqual(["/list"]);
  });
});

describe("a feed", () => {
  it("is added once, paused, removed, and put back by an undo", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    await expect(addFeed(context(), given("/list"))).rejects.toThrow("already");
    await changeFeed(context(), { id: "scanner-list", isPaused: true, reason: "too many false positives" });
    expect(await requireFeed(lists.client, "Scanner list")).toMatchObject({ isPaused: true });
    const removed = (await lists.records()).length + 1;
    await removeFeed(context(), { id: "scanner-list", reason: "not needed" });
    expect(await readFeeds(lists.client)).toEqual([]);
    await undo({ ...context(), role: "admin", hasSso: false }, { n: removed });
    expect(await inForce()).toHaveLength(10);
    for (const key of await lists.client.keys("sluice:feed:contents:*"))
      expect(await lists.client.pttl(key)).toBe(-1);
  });

  it("is refreshed when it is due, by one process of all", async () => {
    source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    const { actor: _, ...shared } = context();
    const [one, other] = [0, 1].map(() => new FeedRefresher({ context: shared, log: () => {} }));
    expect(await one?.once()).toBe(0);
    await lists.client.hset(
      keys.feedStates(),
      "scanner-list",
      JSON.stringify({ ...(await state()), nextAt: 0 }),
    );
    expect([await other?.once(), await one?.once()]).toEqual([0, 1]);
    expect((await state())?.nextAt).toBeGreaterThan(Date.now());
  });

  it("leaves the turn to the next one where its refresh ends with an unexpected error", async () => {
    source.serve("/list", lines(10));
    const ctx = context();
    await addFeed(ctx, given("/list"));
    await addFeed(ctx, given("", { name: "A network", source: { source: { kind: "as", asn: 64500 } } }));
    for (const id of ["a-network", "scanner-list"])
      await lists.client.hset(keys.feedStates(), id, JSON.stringify({ ...newState, nextAt: 0 }));
    const networkRanges = () => Promise.reject(new TypeError("no data"));
    const log: string[] = [];
    const shared = { ...context(), networkRanges };
    const refresher = new FeedRefresher({ context: shared, log: (line) => log.push(line) });
    expect(await refresher.once()).toBe(2);
    const states = await readStates(lists.client);
    expect(states.get("a-network")).toMatchObject({ failing: { tries: 1, cause: "TypeError: no data" } });
    for (const id of ["a-network", "scanner-list"])
      expect(states.get(id)?.nextAt).toBeGreaterThan(states.get(id)?.checkedAt ?? 0);
    expect(await refresher.once()).toBe(0);
    expect(log).toEqual(["sluice: the feed a-network is not refreshed: TypeError: no data"]);
  });
});
