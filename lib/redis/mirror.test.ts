import { connect, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Copy } from "./copy.ts";
import { keys } from "./keys.ts";
import { type Mirror, startMirror } from "./mirror.ts";
import { eventually, freePort, startRedis, type TestRedis } from "./testing.ts";

let server: TestRedis;
let held: Map<string, number>;
let mirror: Mirror;
const events = {
  onCurrent: vi.fn(),
  onLost: vi.fn(),
  onApplied: vi.fn(),
  onOther: vi.fn(),
  onCopied: vi.fn(),
};

class Held implements Copy {
  #fresh = new Map<string, number>();
  holds = (key: string) => key.startsWith("safelist:");
  begin = () => {
    this.#fresh = new Map();
  };
  load = (key: string, ttlMs: number) => void this.#fresh.set(key, ttlMs);
  put = (key: string, ttlMs: number) => {
    for (const copy of [held, this.#fresh]) ttlMs === -2 ? copy.delete(key) : copy.set(key, ttlMs);
  };
  finish = () => {
    held = this.#fresh;
  };
}

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
  vi.clearAllMocks();
  held = new Map();
  mirror = startMirror(server.url, new Held(), events);
  await eventually(() => expect(events.onCurrent).toHaveBeenCalled());
});

afterEach(() => mirror.close());

const holds = (key: string) => eventually(() => expect(held.has(key)).toBe(true));

it("sees what is written, rewritten, removed and expired by command", async () => {
  await server.client.set("safelist:a", "x");
  await holds("safelist:a");
  expect(held.get("safelist:a")).toBe(-1);
  await server.client.pexpire("safelist:a", 60_000);
  await eventually(() => expect(held.get("safelist:a")).toBeGreaterThan(59_000));
  await server.client.rename("safelist:a", "safelist:b");
  await eventually(() => expect([...held.keys()]).toEqual(["safelist:b"]));
});

it("says that a change is applied only after everything the change wrote", async () => {
  for (let change = 1; change <= 200; change++) {
    void server.client.multi().set(`safelist:${change}`, "x").set("sluice:live:change", change).exec();
  }
  events.onApplied.mockImplementation((change: number) => {
    for (let i = 1; i <= change; i++) expect(held.has(`safelist:${i}`)).toBe(true);
  });
  await eventually(() => expect(events.onApplied).toHaveBeenLastCalledWith(200));
  expect(events.onApplied.mock.results.every(({ type }) => type === "return")).toBe(true);
});

it("tells which key of the copy was written once the copy has it, and what it reads at first before it is current", async () => {
  events.onCopied.mockImplementation((key: string) => void expect(held.has(key)).toBe(true));
  await server.client.set("safelist:a", "x");
  await eventually(() => expect(events.onCopied).toHaveBeenCalledWith("safelist:a"));
  expect(events.onCopied.mock.results.every(({ type }) => type === "return")).toBe(true);
  expect(events.onOther.mock.calls.flat()).toEqual(
    expect.arrayContaining([keys.neverBlock(), keys.policy()]),
  );
  const [current = 0] = events.onCurrent.mock.invocationCallOrder;
  expect(Math.max(...events.onOther.mock.invocationCallOrder.slice(0, 2))).toBeLessThan(current);
});

it("notices that its feed no longer tracks", async () => {
  await mirror.feed.client("TRACKING", "OFF");
  await server.client.set("safelist:unheard", "x");
  await holds("safelist:unheard");
});

it("acknowledges nothing that a load has yet to bring", async () => {
  for (let i = 0; i < 100_000; i += 10_000)
    await server.client.mset(Array.from({ length: 10_000 }, (_, k) => [`safelist:${i + k}`, "x"]).flat());
  await server.client.call("CLIENT", "KILL", "TYPE", "pubsub");
  await server.client.multi().set("safelist:missed", "x").set("sluice:live:change", 7).exec();
  events.onApplied.mockImplementation((change: number) => {
    if (change >= 7) expect(held.has("safelist:missed")).toBe(true);
  });
  for (let i = 0; i < 200; i++) await server.client.set("safelist:busy", "x");
  await eventually(() => expect(events.onApplied).toHaveBeenCalledWith(7));
  expect(events.onApplied.mock.results.every(({ type }) => type === "return")).toBe(true);
});

it("follows an address that leads to another server, though nothing closed", async () => {
  const other = await startRedis();
  let target = server.port;
  const relay = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on("error", () => end.destroy());
  });
  const port = await freePort();
  relay.listen(port, "127.0.0.1");
  const follower = startMirror(`redis://127.0.0.1:${port}`, new Held(), events);
  try {
    vi.clearAllMocks();
    await eventually(() => expect(events.onCurrent).toHaveBeenCalled());
    target = other.port;
    await server.client.call("CLIENT", "KILL", "TYPE", "pubsub");
    await eventually(async () =>
      expect(await other.client.call("CLIENT", "LIST", "TYPE", "pubsub")).toMatch(/listener/),
    );
    await other.client.set("safelist:there", "x");
    await holds("safelist:there");
  } finally {
    follower.close();
    relay.close();
    await other.stop();
  }
});

it("knows how old its certainty is", async () => {
  server.freeze();
  try {
    await eventually(() => expect(mirror.ageMs).toBeGreaterThan(1_500));
  } finally {
    server.thaw();
  }
  await eventually(() => expect(mirror.ageMs).toBeLessThan(1_500));
});

it("loads again after a load that failed", async () => {
  await server.client.set("safelist:a", "x");
  await server.client.config("SET", "maxmemory", "1mb");
  await server.client.script("FLUSH");
  await server.client.call("CLIENT", "KILL", "TYPE", "normal");
  await server.client.config("SET", "maxmemory", "0");
  await holds("safelist:a");
});
