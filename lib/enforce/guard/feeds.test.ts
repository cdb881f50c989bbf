import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { listNodes } from "../../observe/stats/nodes.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { Feeds } from "../lists/feeds.ts";
import { writeFeed } from "../lists/vitest.feeds.ts";
import { fieldOfApp } from "../stats/fields.ts";
import { createGuard, type Guard } from "./guard.ts";
import { becomes, openStage, type Stage } from "./vitest.polling.ts";

let stage: Stage;
const client = "203.0.113.9";

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  await stage.server.client.flushall();
  await stage.withoutRules();
  stage.lines.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.closeGuards();
});
afterAll(() => stage.server.stop());

const redis = () => stage.server.client;
const tracking = () => stage.guarded("shop", stage.server.url);

async function newGuard(options: object): Promise<Guard> {
  const guard = createGuard({ redis: stage.server.url, app: "shop", log: () => {}, ...options });
  stage.guards.add(guard);
  await guard.ready();
  return guard;
}

describe("a feed", () => {
  for (const [way, open] of [
    ["client tracking", tracking],
    ["polling", () => stage.guarded("shop")],
  ] as const)
    it(`is in force as soon as it is written, changed and removed, by ${way}`, async () => {
      const guard = await open();
      await becomes(guard, "pass", client);
      await writeFeed(redis(), "scanners", ["203.0.113.0/25", "2001:db8::/48"]);
      await announce();
      await becomes(guard, "blocked", client);
      await becomes(guard, "blocked", "2001:db8::7");
      expect(await guard.check({ ip: client })).toMatchObject({
        ...{ outcome: "blocked", status: 403, rule: "feed:scanners" },
        by: { kind: "feed", list: "blocklist", feed: "scanners", range: "203.0.113.0/25" },
      });
      await writeFeed(redis(), "scanners", ["198.51.100.7"]);
      await announce();
      await becomes(guard, "pass", client);
      await becomes(guard, "blocked", "198.51.100.7");
      await redis().hdel(keys.feeds(), "scanners");
      await announce();
      await becomes(guard, "pass", "198.51.100.7");
    });

  it("is in force once the process is ready, and does not hold up the lists", async () => {
    await redis().set("blocklist:198.51.100.7", "by hand");
    await writeFeed(redis(), "scanners", ["203.0.113.0/24"]);
    let goOn = () => {};
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { read } = Feeds.prototype;
    vi.spyOn(Feeds.prototype, "read").mockImplementation(async function (this: Feeds, connection) {
      await isHeld;
      return read.call(this, connection);
    });
    const guard = createGuard({ redis: stage.server.url, app: "shop", log: () => {} });
    stage.guards.add(guard);
    await becomes(guard, "blocked", "198.51.100.7");
    expect((await guard.check({ ip: client })).outcome).toBe("pass");
    goOn();
    await guard.ready();
    expect((await guard.check({ ip: client })).outcome).toBe("blocked");
  });

  it("never wins over an entry, a protected range, loopback or a trusted proxy", async () => {
    await redis().mset("safelist:203.0.113.9", "office", "blocklist:203.0.113.10", "by hand");
    await redis().hset(keys.neverBlock(), "203.0.113.16/28", "{}");
    await writeFeed(redis(), "all", ["203.0.113.0/24", "127.0.0.0/8", "198.51.100.0/24"]);
    await writeFeed(redis(), "crawlers", ["203.0.113.10", "203.0.113.64/26"], { list: "safelist" });
    const guard = await newGuard({ neverBlock: "198.51.100.7", trustedProxies: "198.51.100.8" });
    const outcomes = (...ips: string[]) =>
      Promise.all(ips.map(async (ip) => (await guard.check({ ip })).outcome));
    await becomes(guard, "blocked", "203.0.113.12");
    expect(await outcomes(client, "203.0.113.10", "203.0.113.17", "127.0.0.1")).toEqual([
      ...["safelisted", "blocked", "pass", "pass"],
    ]);
    expect(await outcomes("198.51.100.7", "198.51.100.8", "198.51.100.9")).toEqual([
      "pass",
      "pass",
      "blocked",
    ]);
    // A safelist feed wins over one of the blocklist, and not over an entry made by hand.
    expect(await outcomes("203.0.113.65", "203.0.113.10")).toEqual(["safelisted", "blocked"]);
    const limit = guard.limit("export", { levels: [{ limit: 1, periodSeconds: 3_600 }] });
    for (let n = 0; n < 3; n++)
      expect(await limit.check("acme", { ip: "203.0.113.65" })).toMatchObject({ outcome: "safelisted" });
  });

  it("is not enforced while it is paused, in shadow or the mode is off", async () => {
    const guard = await tracking();
    await writeFeed(redis(), "paused", ["203.0.113.1"], { isPaused: true });
    await writeFeed(redis(), "shadow", ["203.0.113.2"], { mode: "shadow" });
    await writeFeed(redis(), "scanners", ["203.0.113.3"]);
    await becomes(guard, "blocked", "203.0.113.3");
    expect((await guard.check({ ip: "203.0.113.1" })).outcome).toBe("pass");
    expect((await guard.check({ ip: "203.0.113.2" })).outcome).toBe("pass");
  });

  it("counts its hits, and in shadow the requests and clients that it would have blocked", async () => {
    await writeFeed(redis(), "scanners", ["203.0.113.3"]);
    await writeFeed(redis(), "shadow", ["203.0.113.2"], { mode: "shadow" });
    const guard = await tracking();
    await becomes(guard, "blocked", "203.0.113.3");
    await guard.check({ ip: "203.0.113.2", customerId: "1042" });
    await eventually(async () => {
      const totals = await redis().hgetall(keys.totals());
      expect(Number(totals[fieldOfApp("shop", "shadow feed:shadow")])).toBe(1);
      expect(Number(totals[fieldOfApp("shop", "blocked")])).toBeGreaterThan(0);
      const [hits] = await redis().keys("sluice:hitters:entries:3600:*:blocklist");
      expect(Number(await redis().zscore(hits ?? "", "feed:scanners"))).toBe(
        Number(totals[fieldOfApp("shop", "blocked")]),
      );
      const [shadowed] = await redis().keys("sluice:hitters:shadow:*:feed:shadow");
      expect(await redis().zrange(shadowed ?? "", 0, "-1")).toEqual(["1042 203.0.113.2"]);
    });
  });

  it("is explained, also where it does not decide", async () => {
    await writeFeed(redis(), "scanners", ["203.0.113.0/24"]);
    await writeFeed(redis(), "trial", ["203.0.113.0/28"], { mode: "shadow" });
    await redis().hset(keys.neverBlock(), "203.0.113.8", "{}");
    const guard = await tracking();
    await becomes(guard, "blocked", client);
    const { outcome, says, steps } = await guard.explain({ ip: client });
    expect([outcome, says]).toEqual([
      "blocked",
      "203.0.113.9 is blocked (403) by blocklist feed scanners (203.0.113.0/24).",
    ]);
    expect(steps.find(({ step }) => step === "feeds")).toMatchObject({
      decides: true,
      says: "The blocklist feed scanners has it (203.0.113.0/24): it is blocked. The blocklist feed trial has it (203.0.113.0/28), in shadow: it is counted alone.",
    });
    const exempt = await guard.explain({ ip: "203.0.113.8" });
    expect(exempt.outcome).toBe("pass");
    expect(exempt.steps.find(({ step }) => step === "feeds")?.says).toContain(
      "not enforced for it: 203.0.113.8 is a protected range",
    );
    expect((await guard.explain({ ip: "192.0.2.1" })).steps.map(({ step }) => step)).not.toContain("feeds");
  });

  it("keeps its last contents where the new ones are missing or damaged, and leaves others alone", async () => {
    await writeFeed(redis(), "scanners", ["203.0.113.9"]);
    const guard = await newGuard({ log: (line: string) => stage.lines.push(line) });
    await becomes(guard, "blocked", client);
    await redis().hset(keys.feeds(), "scanners", feedText("gone"));
    await redis().set(keys.feedContents("scanners", "damaged"), "no ranges");
    await redis().hset(keys.feeds(), "broken", feedText("damaged"), "nonsense", "{");
    await writeFeed(redis(), "other", ["198.51.100.7"]);
    await becomes(guard, "blocked", "198.51.100.7");
    expect((await guard.check({ ip: client })).outcome).toBe("blocked");
    expect(stage.lines.join()).toContain("feed:scanners: what Redis has of it cannot be used");
    await eventually(async () => expect(await listNodes(redis())).toMatchObject([{ feedsFormat: 1 }]));
  });

  it("is skipped where its contents are of another type, and read once they are repaired", async () => {
    await redis().set("blocklist:198.51.100.7", "by hand");
    await writeFeed(redis(), "other", ["198.51.100.8"]);
    await redis().hset(keys.feeds(), "scanners", feedText("foreign"));
    await redis().rpush(keys.feedContents("scanners", "foreign"), "no ranges");
    const guard = await newGuard({ log: (line: string) => stage.lines.push(line) });
    expect((await guard.check({ ip: "198.51.100.7" })).outcome).toBe("blocked");
    expect((await guard.check({ ip: "198.51.100.8" })).outcome).toBe("blocked");
    expect((await guard.check({ ip: client })).outcome).toBe("pass");
    expect(stage.lines.filter((line) => line.includes("feed:scanners"))).toEqual([
      expect.stringContaining("WRONGTYPE"),
    ]);
    await redis().del(keys.feedContents("scanners", "foreign"));
    await writeFeed(redis(), "scanners", [client], { digest: "foreign" });
    await becomes(guard, "blocked", client);
    await eventually(async () => expect(await listNodes(redis())).toMatchObject([{ feedsFormat: 1 }]));
  });

  it("is reported by a node whose account may not read what it has", async () => {
    const { port } = stage.server;
    await redis().call("ACL", "SETUSER", "old", "on", ">secret", "~*", "&*", "+@all");
    await redis().call("ACL", "SETUSER", "old", "resetkeys", "~safelist:*", "~blocklist:*", "~customer:*");
    await redis().call("ACL", "SETUSER", "old", "~sluice:live:*", "~sluice:node*", "~sluice:change*");
    await writeFeed(redis(), "scanners", ["203.0.113.9"]);
    await newGuard({
      redis: `redis://old:secret@127.0.0.1:${port}`,
      log: (l: string) => stage.lines.push(l),
    });
    await eventually(
      async () => expect(await listNodes(redis())).toMatchObject([{ feedsFormat: 0 }]),
      10_000,
    );
    expect(stage.lines.join()).toContain("feed:scanners: Redis refuses to read it");
  });
});

const feedText = (digest: string) =>
  JSON.stringify({ list: "blocklist", mode: "enforce", isPaused: false, contents: { digest } });

/** As a change by Sluice does, for nodes that poll. */
async function announce(): Promise<void> {
  const change = await redis().incr(keys.change());
  const written = JSON.stringify([keys.feeds(), keys.change()]);
  await redis().xadd(keys.changes(), "*", "change", change, "keys", written);
}
