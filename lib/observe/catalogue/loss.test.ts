import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeNote } from "../../enforce/lists/entry.ts";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { addEntries } from "../../manage/lists/add.ts";
import type { ListContext } from "../../manage/lists/change-entries.ts";
import { protectRange } from "../../manage/lists/never-block.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { restoreLost } from "../../manage/lists/restore.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { type Catalogue, startCatalogue } from "./catalogue.ts";
import { LossWatch } from "./loss.ts";

const hour = 3_600_000;
const blocked = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];
let server: TestRedis;
let redis: Connection;
let catalogue: Catalogue;
let ctx: ListContext;
let currentCount = 0;
const heardChange = vi.spyOn(LossWatch.prototype, "heardChange");

beforeEach(async () => {
  heardChange.mockClear();
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  const seal = sealFrom("a secret that Redis never sees");
  ctx = { redis, seal, protectedRanges: [], actor: { name: "ada@example.org", via: "console" } };
  currentCount = 0;
  const onCurrent = () => void currentCount++;
  catalogue = startCatalogue({ redis: server.url, protectedRanges: [], onCurrent });
  await catalogue.ready;
});

afterEach(async () => {
  catalogue.close();
  redis.disconnect();
  await server.stop();
});

const sized = (safelist: number, blocklist: number) =>
  eventually(() => expect(catalogue.sizes).toEqual({ safelist, blocklist }));
/** A copy hears the number of a change after its entries. Until then, a lower number says nothing. */
async function applied() {
  const change = Number(await server.client.get(keys.change()));
  await eventually(() => expect(heardChange).toHaveBeenLastCalledWith(change));
}

const noticed = () => eventually(() => expect(catalogue.loss).toBeDefined());
const protect = (range: string) => protectRange(ctx, { range: at(range), reason: "VPN" });
const blockedInRedis = async () => (await server.client.keys("blocklist:*")).sort();

async function fill() {
  await addEntries(ctx, { list: "blocklist", addresses: blocked.map(at), ttlMs: hour, reason: "scraper" });
  await addEntries(ctx, {
    list: "safelist",
    addresses: [at("198.51.100.0/24")],
    ttlMs: null,
    reason: "shop",
  });
  await sized(1, 3);
  await applied();
}

/** The console has heard of the range, too. */
async function protectAndHear(range: string) {
  await protect(range);
  const inside = range.replace(/0\/24$/, "77");
  await server.client.set(`blocklist:${inside}`, "x");
  await eventually(() => expect(catalogue.entry("blocklist", inside)?.flag).toContain("protected range"));
  await server.client.del(`blocklist:${inside}`);
  await eventually(() => expect(catalogue.entry("blocklist", inside)).toBeUndefined());
}

/** The entry of a node that denies a client as soon as Redis is back. */
function flushAndBan(...addresses: string[]) {
  const value = writeNote({ reason: "too fast", by: "sluice", at: new Date().toISOString(), via: "node" });
  const multi = server.client.multi().flushall();
  for (const address of addresses) multi.set(`blocklist:${address}`, value, "PX", hour);
  return multi.set(keys.change(), 1).exec();
}

function lost() {
  if (!catalogue.loss) throw new Error("nothing is lost");
  return catalogue.loss;
}

const restore = () => restoreLost(ctx, { loss: lost(), reason: "Redis came back empty" });

describe("short lists", () => {
  it.each([
    ["another address", ["192.0.2.44"], 3],
    ["an address that was on it", ["203.0.113.1"], 2],
    ["more than were on it", ["192.0.2.44", "192.0.2.45", "192.0.2.46", "192.0.2.47", "192.0.2.48"], 3],
  ])("are lost though a ban has hit %s before the console looked", async (_, banned, blocklist) => {
    await fill();
    await flushAndBan(...banned);
    await noticed();
    await sized(0, banned.length);
    expect(await catalogue.missing()).toMatchObject({ counts: { safelist: 1, blocklist } });
    await restore();
    expect(await restore()).toMatchObject({ done: blocklist, left: 0 });
    expect(await blockedInRedis()).toEqual(
      [...new Set([...blocked, ...banned])].map((address) => `blocklist:${address}`).sort(),
    );
  });

  it("do not bring a ban back that came after the loss and was lifted", async () => {
    await fill();
    await flushAndBan("192.0.2.44");
    await noticed();
    await sized(0, 1);
    await removeEntries(ctx, { list: "blocklist", addresses: [at("192.0.2.44")], reason: "a mistake" });
    await restore();
    await restore();
    expect(await blockedInRedis()).toEqual(blocked.map((address) => `blocklist:${address}`));
  });

  it("are not lost while some of it is as it was, though the count of changes went back", async () => {
    await fill();
    await server.client
      .multi()
      .del("blocklist:203.0.113.1", "blocklist:203.0.113.2", keys.change())
      .call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      .exec();
    await sized(1, 1);
    await server.client.set("blocklist:192.0.2.200", "x");
    await sized(1, 2);
    expect(catalogue.loss).toBeUndefined();
  });
});

describe("empty lists", () => {
  it("report that the copy is current again, so that the users can be checked", async () => {
    expect(currentCount).toBe(1);
    await server.client.flushall();
    await eventually(() => expect(currentCount).toBe(2));
    expect(catalogue.loss).toBeUndefined();
  });

  it("do not hide that protected ranges were lost", async () => {
    await protectAndHear("192.0.2.0/24");
    await server.client.flushall();
    await noticed();
    expect(await catalogue.missing()).toMatchObject({ counts: { safelist: 0, blocklist: 0, neverBlock: 1 } });
    expect(await restore()).toMatchObject({ done: 0, left: 0, change: 1 });
    expect(await readNeverBlock(redis)).toMatchObject([{ range: "192.0.2.0/24", note: { reason: "VPN" } }]);
    await eventually(async () => expect(await catalogue.missing()).toBeUndefined());
    expect(catalogue.loss).toBeUndefined();
  });

  it("are no loss when people let all ranges be blocked again", async () => {
    await protectAndHear("192.0.2.0/24");
    await server.client.multi().del(keys.neverBlock()).incr(keys.change()).exec();
    await server.client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await eventually(() => expect(currentCount).toBe(2));
    await server.client.set("blocklist:192.0.2.200", "x");
    await sized(0, 1);
    expect(catalogue.loss).toBeUndefined();
  });
});

describe("protected ranges", () => {
  it("are missing while the hash lacks them, though all entries are back", async () => {
    await fill();
    await protectAndHear("192.0.2.0/24");
    await server.client.flushall();
    await noticed();
    await server.client.mset(...blocked.flatMap((address) => [`blocklist:${address}`, "x"]));
    await server.client.set("safelist:198.51.100.0/24", "x");
    await sized(1, 3);
    expect(await catalogue.missing()).toMatchObject({ counts: { safelist: 0, blocklist: 0, neverBlock: 1 } });
    await server.client.hset(keys.neverBlock(), "192.0.2.0/24", "by hand");
    await eventually(async () => expect(await catalogue.missing()).toBeUndefined());
    expect(catalogue.loss).toBeUndefined();
  });

  it("are lost though another one was protected before the console checked", async () => {
    await fill();
    await protectAndHear("192.0.2.0/24");
    await server.client.multi().flushall().hset(keys.neverBlock(), "10.0.0.0/24", "by hand").exec();
    await noticed();
    expect(await catalogue.missing()).toMatchObject({ counts: { blocklist: 3, neverBlock: 1 } });
    await restore();
    const ranges = (await readNeverBlock(redis)).map(({ range }) => range);
    expect(ranges.sort()).toEqual(["10.0.0.0/24", "192.0.2.0/24"]);
  });
});

describe("a second loss during a restore", () => {
  /** The safelist is back when everything is lost again, with an entry that the first loss did not know. */
  async function loseTwice() {
    await fill();
    await protectAndHear("192.0.2.0/24");
    await server.client.flushall();
    await noticed();
    const first = lost();
    await restore();
    await addEntries(ctx, { list: "blocklist", addresses: [at("10.0.0.9")], ttlMs: hour, reason: "new" });
    await sized(1, 1);
    await applied();
    await server.client.flushall();
    await sized(0, 0);
    await eventually(() => expect(lost()).not.toBe(first));
    return first;
  }

  it("loses neither what was back nor what was not", async () => {
    await loseTwice();
    const counts = { safelist: 1, blocklist: 4, neverBlock: 1 };
    expect(await catalogue.missing()).toMatchObject({ counts });
    await restore();
    expect(await restore()).toMatchObject({ done: 4, left: 0 });
    const all = ["10.0.0.9", ...blocked].map((address) => `blocklist:${address}`);
    expect(await blockedInRedis()).toEqual(all);
    expect(await server.client.pttl("blocklist:203.0.113.1")).toBeGreaterThan(hour - 60_000);
    expect(await server.client.exists("safelist:198.51.100.0/24")).toBe(1);
  });

  it("is not forgotten with the first", async () => {
    const first = await loseTwice();
    catalogue.forgetLoss(first);
    expect(catalogue.loss).toBeDefined();
    catalogue.forgetLoss(lost());
    expect(catalogue.loss).toBeUndefined();
  });
});
