import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sealFrom } from "../../../lib/audit/seal.ts";
import { writeState } from "../../../lib/edge/state.ts";
import { Sweep } from "../../../lib/edge/sweep.ts";
import { switchEdge } from "../../../lib/edge/switch.ts";
import { Shelf } from "../../../lib/edge/vitest.edge.ts";
import { type Connection, connectControl } from "../../../lib/redis/connect.ts";
import { leaveHome } from "../../../lib/redis/home.ts";
import { startRedis, type TestRedis } from "../../../lib/redis/testing.ts";
import { sweepHome, theSweep } from "../../_server/sweep.ts";
import { readEdge } from "./read-edge.ts";

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

it("tells of a fresh install: on, nobody turned away, nobody has swept", async () => {
  expect(await readEdge(redis, own)).toMatchObject({
    ...{ isOn: true, switched: null, mode: "enforce", limited: 0, last: null, isStale: true, sweeps: [] },
    ...{ isNamed: false, problem: null },
  });
});

it("tells of each dictionary and of the sweeps, once somebody sweeps", async () => {
  const shelf = new Shelf("shelf one");
  shelf.isDown = true;
  await new Sweep({ redis, dictionaries: [shelf] }).once();
  expect(await readEdge(redis, own)).toMatchObject({
    isStale: false,
    last: { dictionaries: [{ name: "shelf one", wished: 0, actual: null, trouble: expect.any(String) }] },
    sweeps: [{ dictionary: "shelf one", trouble: expect.any(String) }],
  });
});

it("says that nobody sweeps any more", async () => {
  await new Sweep({ redis, dictionaries: [] }).once();
  const { last } = await readEdge(redis, own);
  if (!last) throw new Error("nobody has swept");
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

it("comes up without a sweep when SLUICE_EDGE is wrong, and says so once", () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("SLUICE_EDGE", "gopher://edge");
  try {
    expect([theSweep().problem, theSweep().problem]).toEqual([
      expect.stringMatching(/^SLUICE_EDGE: write varnish:/),
      expect.any(String),
    ]);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/does not sweep the edge\. SLUICE_EDGE/)]]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
    leaveHome(sweepHome);
  }
});
