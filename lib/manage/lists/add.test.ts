import { describe, expect, it } from "vitest";
import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { keys } from "../../redis/keys.ts";
import { addEntries } from "./add.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const { ctx, records, expectSoundChain } = lists;
const list = "blocklist" as const;
const bad = at("203.0.113.9");
const [hour, day] = [3_600_000, 86_400_000];

function add(addresses = [bad], more: Partial<Parameters<typeof addEntries>[1]> = {}) {
  return addEntries(ctx(), { list, addresses, reason: "scraper", ...more });
}

describe("adding", () => {
  it("writes the entry for a week, its audit record and the number of the change", async () => {
    const { change, outcomes } = await add();
    expect(change).toBe(1);
    expect(outcomes).toEqual([{ address: bad, outcome: "added", expiresAt: expect.any(Number) }]);
    const value = await lists.client.get("blocklist:203.0.113.9");
    expect(JSON.parse(value ?? "")).toEqual({
      reason: "scraper",
      by: "ada@example.org",
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      via: "console",
    });
    const ttl = await lists.client.pttl("blocklist:203.0.113.9");
    expect(ttl).toBeGreaterThan(oneWeekMs - 2_000);
    expect(ttl).toBeLessThanOrEqual(oneWeekMs);
    expect(await records()).toEqual([
      {
        n: 1,
        at: expect.any(String),
        actor: "ada@example.org",
        via: "console",
        action: "blocklist.add",
        change: 1,
        reason: "scraper",
        changes: [{ target: bad, before: null, after: { value, expiresAt: expect.any(String) } }],
      },
    ]);
    await expectSoundChain(1);
  });

  it("tells nodes the number and when the change was made", async () => {
    await add();
    expect(await lists.client.get(keys.change())).toBe("1");
    const [seconds] = await lists.client.time();
    const progress = await lists.client.hgetall(keys.changeProgress(1));
    expect(Math.abs(Number(progress.at) / 1000 - Number(seconds))).toBeLessThan(3);
    expect(await lists.client.pttl(keys.changeProgress(1))).toBeGreaterThan(hour - 5_000);
  });

  it("records where the actor sits, when that is known", async () => {
    await addEntries(ctx({ address: ip("198.51.100.7") }), { list, addresses: [bad], reason: "" });
    expect(await records()).toMatchObject([{ address: "198.51.100.7" }]);
  });

  it("adds many in one change, each once", async () => {
    const { change, outcomes } = await add([bad, at("2001:db8::/64"), bad]);
    expect(change).toBe(1);
    expect(outcomes).toHaveLength(2);
    expect(await records()).toHaveLength(1);
  });

  it("adds an entry that never expires, or for as long as chosen", async () => {
    await add([bad], { ttlMs: null });
    expect(await lists.client.pttl("blocklist:203.0.113.9")).toBe(-1);
    await add([at("203.0.113.10")], { ttlMs: hour });
    expect(await lists.client.pttl("blocklist:203.0.113.10")).toBeLessThanOrEqual(hour);
    expect(await records()).toMatchObject([{ changes: [{ after: { expiresAt: null } }] }, {}]);
  });

  it.each([
    [999, "An entry lives for a second at least"],
    [Number.NaN, "An entry lives for a second at least"],
    [11 * 366 * day, "An entry lives for ten years at most"],
    [hour + 0.5, "An entry lives for whole milliseconds"],
  ])("refuses a life of %d ms", async (ttlMs, message) => {
    await expect(add([bad], { ttlMs })).rejects.toThrow(message);
    expect(await lists.client.dbsize()).toBe(0);
  });

  it("refuses no address, too many, and reasons that would spoil a terminal", async () => {
    await expect(add([])).rejects.toMatchObject({ code: "bad-input", message: "No address was given." });
    const many = Array.from({ length: 501 }, (_, i) => at(`203.0.${i >> 8}.${i & 255}`));
    await expect(add(many)).rejects.toThrow("At most 500 addresses");
    await expect(add([bad], { reason: "\x1b[2J" })).rejects.toThrow("no control characters");
    await expect(add([bad], { reason: "x".repeat(501) })).rejects.toMatchObject({
      fields: { reason: /500/ },
    });
    expect(await lists.client.dbsize()).toBe(0);
  });
});

describe("adding again", () => {
  it("keeps an entry that lasts longer, says so, and records nothing", async () => {
    const first = await add([bad], { ttlMs: 2 * day });
    const again = await add([bad], { ttlMs: day, reason: "other" });
    expect(again).toEqual({
      change: null,
      record: null,
      outcomes: [{ address: bad, outcome: "kept", expiresAt: expect.closeTo(endOf(first), -2) }],
    });
    expect(await lists.client.get("blocklist:203.0.113.9")).toContain("scraper");
    expect(await records()).toHaveLength(1);
  });

  it("keeps one that never ends", async () => {
    await lists.client.set("blocklist:203.0.113.9", "by hand");
    expect(await add()).toEqual({
      change: null,
      record: null,
      outcomes: [{ address: bad, outcome: "kept", expiresAt: null }],
    });
    expect(await lists.client.get("blocklist:203.0.113.9")).toBe("by hand");
  });

  it("extends one that ends sooner, with the new reason; the record says what was there", async () => {
    await lists.client.set("blocklist:203.0.113.9", "by hand", "PX", hour);
    const { outcomes } = await add();
    expect(outcomes).toMatchObject([{ outcome: "extended" }]);
    expect(await lists.client.get("blocklist:203.0.113.9")).toContain("scraper");
    expect(await lists.client.pttl("blocklist:203.0.113.9")).toBeGreaterThan(6 * day);
    expect(await records()).toMatchObject([{ changes: [{ before: { value: "by hand" } }] }]);
  });

  it("shortens only when forced", async () => {
    await add([bad], { ttlMs: null });
    const { outcomes, change } = await add([bad], { ttlMs: hour, force: true });
    expect(outcomes).toMatchObject([{ outcome: "shortened" }]);
    expect(change).toBe(2);
    expect(await lists.client.pttl("blocklist:203.0.113.9")).toBeGreaterThan(0);
  });
});

describe("what is refused", () => {
  it("is reported with each address, while the others are written", async () => {
    const { change, outcomes } = await add([at("127.0.0.1"), bad, at("10.1.2.0/24")]);
    expect(change).toBe(1);
    expect(outcomes).toMatchObject([
      {
        outcome: "refused",
        code: "lockout",
        message: "127.0.0.1 overlaps 127.0.0.0/8, which is loopback.",
      },
      { outcome: "added" },
      { outcome: "refused", message: "10.1.2.0/24 overlaps 10.1.0.0/16, which is a trusted proxy." },
    ]);
    expect(await lists.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.9"]);
    expect(await records()).toMatchObject([{ changes: [{ target: bad }] }]);
  });

  it("names the safelist entry that covers the address, and who added it", async () => {
    await addEntries(ctx({ name: "grace" }), {
      list: "safelist",
      addresses: [at("203.0.113.0/24")],
      reason: "office",
    });
    expect((await add()).outcomes).toMatchObject([
      {
        code: "lockout",
        message:
          "203.0.113.9 is safelisted by 203.0.113.0/24 (added by grace: office), and the safelist wins. Remove that entry first.",
      },
    ]);
  });

  it("reads protected ranges with the change itself", async () => {
    await lists.client.hset(
      keys.neverBlock(),
      "203.0.113.0/28",
      JSON.stringify({ reason: "VPN", by: "grace" }),
    );
    expect((await add()).outcomes).toMatchObject([
      { message: "203.0.113.9 overlaps 203.0.113.0/28, which is a protected range (grace: VPN)." },
    ]);
  });

  it("wants a wide range typed again", async () => {
    const wide = at("203.0.112.0/20");
    expect((await add([wide])).outcomes).toMatchObject([{ code: "needs-confirmation" }]);
    expect((await add([wide], { confirmed: [wide] })).outcomes).toMatchObject([{ outcome: "added" }]);
  });

  it("leaves a key of another type alone, and says how to get rid of it", async () => {
    await lists.client.rpush("blocklist:203.0.113.9", "x");
    expect((await add()).outcomes).toMatchObject([
      {
        code: "bad-input",
        message: "blocklist:203.0.113.9 in Redis is a list, not an entry: remove it first.",
      },
    ]);
    expect(await lists.client.type("blocklist:203.0.113.9")).toBe("list");
  });
});

function endOf({ outcomes: [first] }: Awaited<ReturnType<typeof add>>): number {
  if (!first || first.outcome === "refused" || first.expiresAt === null) throw new Error("it has no end");
  return first.expiresAt;
}
