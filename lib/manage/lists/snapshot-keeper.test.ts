import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { blockOf } from "../../ip/parse.ts";
import { snapshotFormat } from "../../redis/copy.ts";
import { keys } from "../../redis/keys.ts";
import { Lease } from "../../redis/lease.ts";
import { eventually, freePort, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sealFrom } from "../audit/seal.ts";
import { addEntries } from "./add.ts";
import { removeEntries } from "./remove.ts";
import { SnapshotKeeper } from "./snapshot-keeper.ts";
import { at } from "./vitest.context.ts";
import { confirmed, differences, type StartedNode, snapshots } from "./vitest.snapshot.ts";

let server: TestRedis;
const { keep, start, fromSnapshot, closeAll } = snapshots(() => server.url);

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(() => server.client.flushall());
afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});
afterAll(() => server.stop());

const same = async (node: StartedNode) => expect(await differences(server.url, node)).toEqual([]);
const isBlocked = ({ lists }: StartedNode, text: string) =>
  lists.match("blocklist", blockOf(at(text))) !== undefined;
const addresses = (count: number, network = "203.0") =>
  Array.from({ length: count }, (_, i) => `${network}.${i >> 8}.${i & 255}`);
const block = (texts: readonly string[]) =>
  server.client.mset(texts.flatMap((text) => [`blocklist:${text}`, "a reason"]));
const pieces = async () => keys.snapshotPieces(await confirmed(server.client));

/** What any program writes, and Redis' reply is not looked at. */
type Write = readonly [command: string, ...words: string[]];
const byte = fc.integer({ min: 0, max: 3 });
const group = fc.constantFrom("0", "1", "ff", "8000");
const address = fc.oneof(
  fc.tuple(byte, byte).map(([c, d]) => `203.0.${c}.${d}`),
  byte.map((c) => `203.0.${c}.0/24`),
  fc.tuple(group, group).map(([x, y]) => new URL(`http://[2001:db8:${x}::${y}:1]`).hostname.slice(1, -1)),
  group.map((x) => (x === "0" ? "2001:db8::/48" : `2001:db8:${x}::/48`)),
  fc.constantFrom("no address", "203.0.113.007", "0.0.0.0/0"),
);
const entryKey = fc
  .tuple(fc.constantFrom("safelist:", "blocklist:", "sluice:live:ban:"), address)
  .map(([prefix, text]) => prefix + text);
const customer = fc.constantFrom("acme", "globex", "initech");
const write: fc.Arbitrary<Write> = fc.oneof(
  entryKey.map((key) => ["SET", key, "x"] as const),
  entryKey.map((key) => ["SET", key, "x", "EX", "604800"] as const),
  entryKey.map((key) => ["SET", key, "x", "PX", "5"] as const),
  entryKey.map((key) => ["DEL", key] as const),
  entryKey.map((key) => ["PERSIST", key] as const),
  fc.tuple(entryKey, entryKey).map(([from, to]) => ["RENAME", from, to] as const),
  fc.tuple(customer, fc.constantFrom("pro", "free", " No Tier! ")).map(([id, tier]) => {
    return ["SET", `customer:${id}:tier_redis`, tier] as const;
  }),
  fc.tuple(customer, fc.constantFrom("60", "3600", "junk"), fc.constantFrom("5", "0", "x")).map((words) => {
    return ["HSET", `customer:${words[0]}:throttle_hash`, words[1], words[2]] as const;
  }),
  customer.map((id) => ["SET", `customer:${id}:suspended`, "unpaid", "EX", "600"] as const),
  fc.tuple(customer, fc.constantFrom("tier_redis", "throttle_hash", "suspended")).map(([id, what]) => {
    return ["DEL", `customer:${id}:${what}`] as const;
  }),
);

async function send(writes: readonly Write[]): Promise<void> {
  for (const [command, ...words] of writes) await server.client.call(command, ...words).catch(() => {});
}

describe("a start from the snapshot", () => {
  it("holds what a read of all keys holds, whatever was written before and since", async () => {
    keep();
    let before = "";
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 5, maxLength: 60 }),
        fc.array(write, { maxLength: 20 }),
        async (earlier, later) => {
          await server.client.flushall();
          await send(earlier);
          before = await confirmed(server.client, before);
          await send(later);
          await fromSnapshot(undefined, same);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("has what verbs wrote and removed since", async () => {
    const ctx = {
      actor: { name: "ada@example.org", via: "console" as const },
      redis: server.client,
      seal: sealFrom("a secret of the tests"),
      protectedRanges: [],
    };
    const terms = { list: "blocklist", reason: "a test" } as const;
    await addEntries(ctx, { ...terms, addresses: [at("203.0.113.1"), at("203.0.113.2")] });
    keep();
    await confirmed(server.client);
    await addEntries(ctx, { ...terms, addresses: [at("203.0.113.3")] });
    await removeEntries(ctx, { ...terms, addresses: [at("203.0.113.1")] });
    const node = await fromSnapshot(undefined, same);
    expect([1, 2, 3].map((n) => isBlocked(node, `203.0.113.${n}`))).toEqual([false, true, true]);
  });

  it("waits for a keeper that hears of writes late", async () => {
    const far = await startLateListener(server.port, 200);
    try {
      await block(addresses(50));
      keep(`redis://127.0.0.1:${far.port}`);
      await confirmed(server.client);
      for (let i = 0; i < 5; i++) {
        await server.client.set(`blocklist:198.51.100.${i}`, "x");
        await server.client.del(`blocklist:203.0.0.${i}`);
        await fromSnapshot(undefined, same);
      }
    } finally {
      await closeAll();
      far.stop();
    }
  });

  it("leaves out what has expired since, and ends entries when Redis does", async () => {
    await block(addresses(50));
    await server.client.set("blocklist:198.51.100.1", "x", "PX", 2_500);
    await server.client.set("blocklist:198.51.100.2", "x", "PX", 60_000);
    keep();
    await confirmed(server.client);
    await eventually(async () => expect(await server.client.exists("blocklist:198.51.100.1")).toBe(0));
    const node = await fromSnapshot(undefined, same);
    expect([1, 2].map((n) => isBlocked(node, `198.51.100.${n}`))).toEqual([false, true]);
    expect(node.lists.entries.blocklist).toBe(51);
  });

  it("follows what is written while it reads, and after", async () => {
    await block(addresses(2_000));
    keep();
    await confirmed(server.client);
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i = (i + 1) % 2_000) {
        await server.client.del(`blocklist:203.0.${i >> 8}.${i & 255}`);
        await server.client.set(`blocklist:198.51.${i >> 8}.${i & 255}`, "x");
      }
    })();
    const node = await fromSnapshot();
    isOver = true;
    await writing;
    await eventually(() => same(node));
  });

  it("is followed by another one when much was written", async () => {
    await block(addresses(50));
    keep();
    const first = await confirmed(server.client);
    for (let i = 0; i < 12; i++) await block(addresses(1_000, `${20 + i}.0`));
    const second = await confirmed(server.client, first);
    expect(await server.client.exists(keys.snapshotPieces(first), keys.snapshotWritten(first))).toBe(0);
    const node = await fromSnapshot(undefined, same);
    expect(node.lists.entries.blocklist).toBe(12_050);
    const bytes = await server.client.call("MEMORY", "USAGE", keys.snapshotPieces(second), "SAMPLES", 0);
    expect(Number(bytes) / 12_050).toBeLessThan(24);
  });

  it("is sound after its keeper lost a connection, and what was written then", async () => {
    await block(addresses(50));
    keep();
    const before = await confirmed(server.client);
    await server.client
      .multi()
      .call("CLIENT", "KILL", "TYPE", "pubsub")
      .set("blocklist:198.51.100.1", "x")
      .del("blocklist:203.0.0.1")
      .exec();
    await same(await start());
    await confirmed(server.client, before);
    await fromSnapshot(undefined, same);
  });

  it("is what the nodes of a large fleet wait for after they lost Redis", async () => {
    await block(addresses(50));
    keep();
    const before = await confirmed(server.client);
    await server.client.hset(keys.snapshot(), "costMs", 1_000);
    for (let i = 0; i < 21; i++) await server.client.zadd(keys.nodes(), i, `node ${i}`);
    const node = await fromSnapshot();
    const loadedAgain = node.loadedAgain();
    const changes = server.client.multi().call("CLIENT", "KILL", "TYPE", "pubsub").del("blocklist:203.0.0.1");
    await changes.del(keys.snapshot()).exec();
    await loadedAgain;
    expect(node.hasWalked).toBe(false);
    await same(node);
    expect(await confirmed(server.client)).not.toBe(before);
  });
});

describe("where client tracking is refused", () => {
  const polled = () => `redis://polled:secret@127.0.0.1:${server.port}`;
  beforeEach(async () => {
    const rights = ["on", ">secret", "~*", "&*", "+@all", "-client|tracking"];
    await server.client.call("ACL", "SETUSER", "polled", ...rights);
    await block(addresses(50));
  });
  afterEach(() => server.client.config("SET", "notify-keyspace-events", ""));

  it("keyspace notifications tell a keeper and a node what was written", async () => {
    await server.client.config("SET", "notify-keyspace-events", "Kg$hx");
    keep(polled());
    await confirmed(server.client);
    await server.client.set("blocklist:198.51.100.1", "x");
    await server.client.del("blocklist:203.0.0.1");
    await fromSnapshot(polled(), same);
  });

  it("a node is in step with the scan that its keeper hears of, and finds what other programs write", async () => {
    keep(polled());
    await confirmed(server.client);
    await server.client.set("blocklist:198.51.100.1", "x");
    const node = await fromSnapshot(polled());
    expect(node.mirror.following).toMatchObject({ by: "polling" });
    expect(node.mirror.following.othersWithinMs).toBeLessThanOrEqual(30_000);
    await eventually(() => expect(isBlocked(node, "198.51.100.1")).toBe(true), 30_000);
    await same(node);
  });
});

describe("a start reads all keys", () => {
  beforeEach(() => block(addresses(50)));

  async function readsAll(redis?: string): Promise<void> {
    await server.client.set("blocklist:198.51.100.1", "x");
    const node = await start(redis);
    expect(node.hasWalked).toBe(true);
    await same(node);
  }

  it("where no console keeps a snapshot", () => readsAll());

  it("where its keeper has ended, and its snapshot is left", async () => {
    const keeper = keep();
    await confirmed(server.client);
    await keeper.stop();
    await server.client.persist(keys.snapshot());
    await readsAll();
  });

  it("where a piece is damaged, cut, exchanged or missing", async () => {
    await server.client.set("customer:acme:tier_redis", "pro");
    keep();
    const place = await pieces();
    const whole = await server.client.hgetBuffer(place, "0");
    if (!whole) throw new Error("there is no piece");
    const damaged = Buffer.from(whole);
    damaged[damaged.length - 3] = (damaged[damaged.length - 3] ?? 0) ^ 1;
    const other = await server.client.hgetBuffer(place, "1");
    for (const piece of [damaged, whole.subarray(0, -1), whole.subarray(0, 10), Buffer.alloc(0), other]) {
      await server.client.hset(place, "0", piece ?? "");
      await readsAll();
    }
    await server.client.hdel(place, "0");
    await readsAll();
    await server.client.hset(place, "0", whole);
    await fromSnapshot(undefined, same);
  });

  it("where it has another format, or other numbers than it says", async () => {
    keep();
    await confirmed(server.client);
    const { format, has, keys: count } = await server.client.hgetall(keys.snapshot());
    for (const changed of [
      { format: snapshotFormat + 1 },
      { has: "" },
      { keys: Number(count) + 1 },
      { pieces: "x" },
    ]) {
      const before = await server.client.hgetall(keys.snapshot());
      await server.client.hset(keys.snapshot(), changed);
      await readsAll();
      await server.client.hset(keys.snapshot(), { format, has, keys: count, pieces: before.pieces });
    }
    await fromSnapshot(undefined, same);
  });

  it("where the list of written keys is shorter than it was, until there is another snapshot", async () => {
    keep();
    const id = await confirmed(server.client);
    await server.client.set("blocklist:198.51.100.2", "x");
    await eventually(async () => expect(await server.client.llen(keys.snapshotWritten(id))).toBe(1));
    await server.client.del(keys.snapshotWritten(id));
    await same(await start());
    await confirmed(server.client, id);
    await fromSnapshot(undefined, same);
  });

  it("where keys are missing in the list of written keys, though it is said to be complete", async () => {
    const keeper = keep();
    const id = await confirmed(server.client);
    await keeper.stop();
    for (const key of [keys.snapshot(), keys.snapshotPieces(id)]) await server.client.persist(key);
    const confirming = setInterval(() => void server.client.hincrby(keys.snapshot(), "beats", 1), 20);
    try {
      await fromSnapshot();
      await server.client.hset(keys.snapshot(), "written", 1);
      await readsAll();
    } finally {
      clearInterval(confirming);
    }
  });

  it("where keys of other types are in its place", async () => {
    await server.client.set(keys.snapshot(), "x");
    await readsAll();
  });

  it("where its account has no right to the snapshot", async () => {
    const rights = [
      "on",
      ">secret",
      "resetkeys",
      "~safelist:*",
      "~blocklist:*",
      "~customer:*",
      "~sluice:live:*",
    ];
    await server.client.call("ACL", "SETUSER", "app", ...rights, "~sluice:nodes", "&*", "+@all");
    keep();
    await confirmed(server.client);
    await readsAll(`redis://app:secret@127.0.0.1:${server.port}`);
    await fromSnapshot(undefined, same);
  });
});

it("a keeper without the right to write says so once", async () => {
  const rights = [
    "on",
    ">secret",
    "resetkeys",
    "~safelist:*",
    "~blocklist:*",
    "~customer:*",
    "~sluice:live:*",
  ];
  rights.push("~sluice:lease:*", "~sluice:nodes", "&*", "+@all");
  await server.client.call("ACL", "SETUSER", "console", ...rights);
  await block(addresses(50));
  const lines: string[] = [];
  keep(`redis://console:secret@127.0.0.1:${server.port}`, (line) => lines.push(line));
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/nodes read all entries.*NOPERM/)]));
  const node = await start();
  expect(node.hasWalked).toBe(true);
});

it("of two keepers that both believe to be the one, either leaves a start without a loss", async () => {
  await block(addresses(500));
  const asking = vi.spyOn(Lease.prototype, "isOurs").mockResolvedValue(true);
  keep();
  keep();
  let id = "";
  for (let i = 0; i < 5; i++) {
    id = await confirmed(server.client, id);
    await server.client.set(`blocklist:198.51.100.${i}`, "x");
    await server.client.del(`blocklist:203.0.0.${i}`);
    await same(await start());
  }
  asking.mockRestore();
  await fromSnapshot(undefined, same);
});

it("has no snapshot before its lists are long", async () => {
  await block(addresses(50));
  await server.client.config("RESETSTAT");
  const keeper = new SnapshotKeeper({ redis: server.url });
  keeper.start();
  try {
    // The keeper asks that before each decision.
    await eventually(async () =>
      expect(await server.client.info("commandstats")).toMatch(/client\|trackinginfo:calls=([5-9]|\d\d)/),
    );
    await block(addresses(9_960, "100.64"));
    await confirmed(server.client);
    expect(Number(await server.client.hget(keys.snapshot(), "keys"))).toBeGreaterThanOrEqual(10_000);
  } finally {
    await keeper.stop();
  }
});

/** A relay before Redis: what a connection that has subscribed receives comes late. */
async function startLateListener(target: number, lateMs: number) {
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    let delayMs = 0;
    socket.on("data", (chunk: Buffer) => {
      if (/subscribe/i.test(chunk.toString("latin1"))) delayMs = lateMs;
      onward.write(chunk);
    });
    onward.on("data", (chunk: Buffer) => {
      if (delayMs === 0) socket.write(chunk);
      else setTimeout(() => socket.destroyed || socket.write(chunk), delayMs);
    });
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => other.destroy());
    }
  });
  const port = await freePort();
  relay.listen(port, "127.0.0.1");
  await once(relay, "listening");
  return {
    port,
    stop() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
