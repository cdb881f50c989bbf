import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { writeState } from "../../manage/edge/state.ts";
import { switchEdge } from "../../manage/edge/switch.ts";
import { EdgeSync } from "../../manage/edge/sync.ts";
import { FakeDictionary } from "../../manage/edge/vitest.edge.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { readEdge } from "./edge-reads.ts";
import { sweepHome, theSweep } from "./sweep.ts";

let server: TestRedis;
let redis: Connection;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(async () => void (await server.client.flushall()));

const own = { isNamed: false, problem: undefined };

it("reads a fresh install: on, no client denied, no sweep", async () => {
  expect(await readEdge(redis, own)).toMatchObject({
    ...{ isOn: true, switched: null, mode: "enforce", limited: 0, last: null, isStale: true, sweeps: [] },
    ...{ isNamed: false, problem: null },
  });
});

it("reads each dictionary and the sweeps, once there is a sweep", async () => {
  const shelf = new FakeDictionary("shelf one");
  shelf.isDown = true;
  await new EdgeSync({ redis, dictionaries: [shelf] }).once();
  expect(await readEdge(redis, own)).toMatchObject({
    isStale: false,
    last: { dictionaries: [{ name: "shelf one", wished: 0, actual: null, trouble: expect.any(String) }] },
    sweeps: [{ dictionary: "shelf one", trouble: expect.any(String) }],
  });
});

it("says that sweeps have stopped", async () => {
  await new EdgeSync({ redis, dictionaries: [] }).once();
  const { last } = await readEdge(redis, own);
  if (!last) throw new Error("no sweep");
  const old = { ...last, at: last.at - 10_001, isOn: true, mode: "enforce", kept: 0 } as const;
  await writeState(redis, old);
  expect(await readEdge(redis, own)).toMatchObject({ isStale: true });
});

it("says who switched it off, and why", async () => {
  const ctx = { redis, seal: sealFrom("a secret"), actor: { name: "ada@example.org", via: "console" } };
  await switchEdge(ctx, { isOn: false, reason: "a mistake in the map" });
  expect(await readEdge(redis, own)).toMatchObject({
    isOn: false,
    switched: { by: "ada@example.org", at: expect.any(String), reason: "a mistake in the map" },
  });
});

it("starts without a sweep when SLUICE_EDGE is wrong, and says so once", () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("SLUICE_EDGE", "gopher://edge");
  try {
    expect([theSweep().problem, theSweep().problem]).toEqual([
      expect.stringMatching(/^SLUICE_EDGE: write varnish:/),
      expect.any(String),
    ]);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/does not sync the edge\. SLUICE_EDGE/)]]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
    forgetOnce(sweepHome);
  }
});
