import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Copy } from "./copy.ts";
import { Mirror } from "./mirror.ts";
import { eventually, startRedis, type TestRedis } from "./testing.ts";

let server: TestRedis;
let held: Map<string, number>;
let mirror: Mirror;
const events = { onCurrent: vi.fn(), onLost: vi.fn(), onApplied: vi.fn(), onOther: vi.fn() };

class Held implements Copy {
  readonly pattern = "safelist:*";
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
  mirror = new Mirror(server.url, new Held(), events);
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

it("notices by itself that its feed no longer tracks", async () => {
  await mirror.feed.client("TRACKING", "OFF");
  await server.client.set("safelist:unheard", "x");
  await holds("safelist:unheard");
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

it("loads anew after a load that failed", async () => {
  await server.client.set("safelist:a", "x");
  await server.client.config("SET", "maxmemory", "1mb");
  await server.client.script("FLUSH");
  await server.client.call("CLIENT", "KILL", "TYPE", "normal");
  await server.client.config("SET", "maxmemory", "0");
  await holds("safelist:a");
});
