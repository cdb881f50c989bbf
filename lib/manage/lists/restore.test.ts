import { connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { type Catalogue, startCatalogue } from "../../observe/catalogue/catalogue.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { verifyChain } from "../audit/chain.ts";
import { sealFrom } from "../audit/seal.ts";
import { addEntries } from "./add.ts";
import type { ListContext } from "./change-entries.ts";
import { protectRange } from "./never-block.ts";
import { removeEntries } from "./remove.ts";
import { recordDismissal, restoreLost } from "./restore.ts";
import { at, ip } from "./vitest.context.ts";

const seal = sealFrom("a secret that Redis never sees");
const [hour, day] = [3_600_000, 86_400_000];
let server: TestRedis;
let redis: Connection;
let catalogue: Catalogue;
let ctx: ListContext;

beforeEach(async () => {
  server = await startRedis("--appendonly", "yes");
  redis = connectControl(server.url, "patiently");
  ctx = { redis, seal, protectedRanges: [], actor: { name: "ada@example.org", via: "console" } };
  await add("blocklist", ["203.0.113.1", "203.0.113.2"], day);
  await add("blocklist", ["203.0.113.3"], null);
  await add("safelist", ["198.51.100.0/24"], hour);
  await server.client.set("blocklist:192.0.2.9", "by hand", "PX", hour);
  catalogue = startCatalogue({ redis: server.url, protectedRanges: [] });
  await catalogue.ready;
});

afterEach(async () => {
  catalogue.close();
  redis.disconnect();
  await server.stop();
});

const add = (list: "blocklist" | "safelist", addresses: string[], ttlMs: number | null) =>
  addEntries(ctx, { list, addresses: addresses.map(at), ttlMs, reason: `on the ${list}` });

const noticed = () => eventually(() => expect(catalogue.loss).toBeDefined());

async function removeAll() {
  const blocked = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "192.0.2.9"].map(at);
  await removeEntries(ctx, { list: "blocklist", addresses: blocked, reason: "" });
  await removeEntries(ctx, { list: "safelist", addresses: [at("198.51.100.0/24")], reason: "" });
}

/** A connection that can be cut. */
async function connectThrough(target: number) {
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on("error", () => end.destroy());
    }
  });
  const port = await freePort();
  const repair = () => new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", resolve));
  await repair();
  const cut = () => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `redis://127.0.0.1:${port}`, repair, cut };
}

/** Whatever might have made the console suspicious has passed: it has heard of a change after it. */
async function settled() {
  await server.client.set("blocklist:192.0.2.200", "x");
  await eventually(() => expect(catalogue.entry("blocklist", "192.0.2.200")).toBeDefined());
}

function restore(more: Partial<ListContext> = {}) {
  if (!catalogue.loss) throw new Error("nothing is lost");
  return restoreLost({ ...ctx, ...more }, { loss: catalogue.loss, reason: "Redis came back empty" });
}

describe("a loss", () => {
  it("is noticed after FLUSHALL", async () => {
    await server.client.flushall();
    await noticed();
    expect(await catalogue.missing()).toEqual({
      at: expect.closeTo(Date.now(), -4),
      counts: { safelist: 1, blocklist: 4, neverBlock: 0 },
    });
    expect(catalogue.sizes).toEqual({ safelist: 0, blocklist: 0 });
  });

  it("is noticed when a fresh server answers", async () => {
    await server.restartEmpty();
    await noticed();
    expect(await catalogue.missing()).toMatchObject({ counts: { safelist: 1, blocklist: 4 } });
  });

  it("is noticed although entries were added by hand before", async () => {
    const many = Array.from({ length: 300 }, (_, i) => [`blocklist:10.0.${i >> 8}.${i & 255}`, "x"]).flat();
    await server.client.mset(...many);
    await eventually(() => expect(catalogue.sizes.blocklist).toBe(304));
    await server.client
      .multi()
      .flushall()
      .mset("blocklist:10.0.0.1", "again", "blocklist:9.9.9.9", "new")
      .exec();
    await noticed();
    await eventually(() => expect(catalogue.sizes.blocklist).toBe(2));
    expect(catalogue.entry("blocklist", "9.9.9.9")).toMatchObject({ reason: "new" });
    expect((await catalogue.page("blocklist", {})).matching).toBe(2);
    expect(await catalogue.missing()).toMatchObject({ counts: { blocklist: 303 } });
  });

  it.each([
    ["people remove everything", () => removeAll()],
    [
      "a foreign writer deletes everything",
      async () => server.client.del(...(await server.client.keys("*list:*"))),
    ],
    ["a server restarts with its data", () => server.restart()],
    ["nothing was there", async () => {}],
  ])("is none when %s", async (_, happen) => {
    await happen();
    await settled();
    expect(catalogue.loss).toBeUndefined();
    expect(await catalogue.missing()).toBeUndefined();
  });

  it("is none when people remove everything while the console is cut off", async () => {
    const cable = await connectThrough(server.port);
    const far = startCatalogue({ redis: cable.url, protectedRanges: [] });
    try {
      await far.ready;
      cable.cut();
      await removeAll();
      await add("blocklist", ["192.0.2.199"], hour);
      await cable.repair();
      await eventually(() => expect(far.sizes).toEqual({ safelist: 0, blocklist: 1 }));
      await add("blocklist", ["192.0.2.200"], hour);
      await eventually(() => expect(far.entry("blocklist", "192.0.2.200")).toBeDefined());
      expect(far.loss).toBeUndefined();
    } finally {
      far.close();
      cable.cut();
    }
  });

  it("is over once everything was brought back by other means", async () => {
    await server.client.flushall();
    await noticed();
    await server.client.mset("blocklist:203.0.113.1", "x", "blocklist:203.0.113.2", "x");
    await server.client.mset(
      "blocklist:203.0.113.3",
      "x",
      "blocklist:192.0.2.9",
      "x",
      "safelist:198.51.100.0/24",
      "x",
    );
    await eventually(() => expect(catalogue.sizes).toEqual({ safelist: 1, blocklist: 4 }));
    expect(await catalogue.missing()).toBeUndefined();
    expect(catalogue.loss).toBeUndefined();
  });
});

describe("restoring", () => {
  it("writes each entry as it was, for what is left of its life, and begins a new log", async () => {
    const before = await server.client.get("blocklist:203.0.113.1");
    await server.client.flushall();
    await noticed();
    expect(await server.client.keys("*list:*")).toEqual([]);
    const restored = await restore();
    expect(restored).toMatchObject({ done: 1, left: 4, change: 1, skippedCount: 0 });
    expect(await restore()).toMatchObject({ done: 4, left: 0, change: 2 });
    expect(await server.client.get("blocklist:203.0.113.1")).toBe(before);
    expect(await server.client.get("blocklist:192.0.2.9")).toBe("by hand");
    expect(await server.client.pttl("blocklist:203.0.113.1")).toBeGreaterThan(day - 60_000);
    expect(await server.client.pttl("blocklist:203.0.113.1")).toBeLessThanOrEqual(day);
    expect(await server.client.pttl("blocklist:203.0.113.3")).toBe(-1);
    expect(await server.client.get(keys.change())).toBe("2");
    expect(await verifyChain(redis, seal)).toEqual({ records: 2, problems: [], problemCount: 0 });
    const rows = await server.client.xrange(keys.audit(), "-", "+");
    const records = rows.map(([, fields]) => JSON.parse(fields[1] ?? ""));
    expect(records).toMatchObject([
      { action: "safelist.restore", actor: "ada@example.org", reason: "Redis came back empty" },
      { action: "blocklist.restore", changes: { length: 4 } },
    ]);
    await eventually(() => expect(catalogue.sizes).toEqual({ safelist: 1, blocklist: 4 }));
    expect(await catalogue.missing()).toBeUndefined();
  });

  it("leaves out entries that have expired, and those that exist again", async () => {
    await server.client.set("blocklist:203.0.113.77", "short");
    await eventually(() => expect(catalogue.sizes.blocklist).toBe(5));
    await server.client.pexpire("blocklist:203.0.113.77", 2_000);
    const end = performance.now() + 2_100;
    await eventually(() =>
      expect(catalogue.entry("blocklist", "203.0.113.77")?.expiresAt).toEqual(expect.any(Number)),
    );
    await server.client.flushall();
    await noticed();
    await add("blocklist", ["203.0.113.1"], hour);
    await restore();
    await eventually(() => expect(performance.now()).toBeGreaterThan(end));
    expect(await restore()).toMatchObject({
      done: 3,
      skipped: [{ address: "203.0.113.1", message: expect.stringContaining("on the list already") }],
    });
    expect(await server.client.exists("blocklist:203.0.113.77")).toBe(0);
    expect(await server.client.pttl("blocklist:203.0.113.1")).toBeLessThanOrEqual(hour);
  });

  it("locks out no actor whose address is behind an entry", async () => {
    await server.client.flushall();
    await noticed();
    const actor = { ...ctx.actor, address: ip("203.0.113.2") };
    await restore({ actor });
    const { done, skipped } = await restore({ actor });
    expect(done).toBe(3);
    expect(skipped).toMatchObject([{ address: "203.0.113.2", code: "lockout" }]);
  });

  it("brings back protected ranges first, so that no entry is enforced that was not", async () => {
    await protectRange(ctx, { range: at("192.0.2.0/24"), reason: "VPN" });
    await eventually(async () =>
      expect(catalogue.entry("blocklist", "192.0.2.9")?.flag).toContain("protected range"),
    );
    await server.client.flushall();
    await noticed();
    expect(await catalogue.missing()).toMatchObject({ counts: { neverBlock: 1 } });
    await restore();
    const { skipped } = await restore();
    expect(skipped).toMatchObject([
      { address: "192.0.2.9", message: expect.stringContaining("protected range") },
    ]);
    expect(await readNeverBlock(redis)).toMatchObject([{ range: "192.0.2.0/24", note: { reason: "VPN" } }]);
    expect(await server.client.exists("blocklist:192.0.2.9")).toBe(0);
  });

  it("takes a second loss before the first is restored", async () => {
    await server.client.flushall();
    await noticed();
    await restore();
    await server.client.flushall();
    await eventually(() => expect(catalogue.sizes.safelist).toBe(0));
    await settled();
    expect(catalogue.loss?.tables.blocklist.size).toBe(4);
  });

  it("writes many in several calls", async () => {
    const many = Array.from({ length: 21_000 }, (_, i) => [`blocklist:10.${i >> 8}.${i & 255}.1`, "x"]);
    await server.client.mset(many.flat());
    await eventually(() => expect(catalogue.sizes.blocklist).toBe(21_004));
    await server.client.flushall();
    await noticed();
    let calls = 0;
    for (let left = 1; left > 0; calls++) left = (await restore()).left;
    expect(calls).toBeGreaterThan(2);
    expect(await server.client.keys("blocklist:*")).toHaveLength(21_004);
  }, 60_000);

  it("is put on record when it shall not be", async () => {
    await server.client.flushall();
    await noticed();
    if (!catalogue.loss) throw new Error("nothing is lost");
    await recordDismissal(ctx, { loss: catalogue.loss, reason: "" });
    expect(await server.client.keys("*list:*")).toEqual([]);
    const [[, fields] = ["", []]] = await server.client.xrange(keys.audit(), "-", "+");
    expect(JSON.parse(fields[1] ?? "")).toMatchObject({
      action: "lists.dismiss-loss",
      reason: "4 blocklist and 1 safelist entries were not restored",
      change: null,
    });
  });
});
