import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendSightings } from "../../enforce/edge/sightings.ts";
import { EdgeSync } from "../../manage/edge/sync.ts";
import { FakeDictionary, standard } from "../../manage/edge/vitest.edge.ts";
import { FakeFastly } from "../../manage/edge/vitest.fastly.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice } from "../testing.ts";

let server: TestRedis;
let redis: Connection;
let fastly: FakeFastly;
let edge: string;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
beforeEach(async () => {
  await server.client.flushall();
  fastly = new FakeFastly();
  const api = await fastly.start();
  edge = `fastly://SU1Z0isxPaozGVKXdv0eY/3vjTN8v1O7nOAY7aNDGOL?api=${api}`;
  return () => fastly.stop();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const run = (...argv: string[]) =>
  sluice(argv, { redisUrl: server.url, environment: { edge, fastlyToken: fastly.token } });

const [one, other] = ["203.0.113.9", "203.0.113.10"];

/** Puts both addresses over the limit in this minute. */
async function hammer(): Promise<void> {
  const minute = Math.floor(Number((await redis.time())[0]) / 60);
  const shown = { host: "shop.example", path: "/foo", method: "GET" };
  const sightings = [one, other].map((address) => ({ ...standard(address), ...shown, more: 500 }));
  await sendSightings(redis, { minute, sightings: { standard: sightings, broad: [] } });
}

it("syncs the edge while no console runs: on, clear, off", async () => {
  await hammer();
  const off = await run("edge", "off", "--reason", "the edge denies customers");
  expect(off).toMatchObject({ exit: 0, stderr: "" });
  expect(off.stdout).toMatch(
    /^The edge is off, by cli:\w+ at .* \(the edge denies customers\): it denies no client\.\n/,
  );
  expect(fastly.items.size).toBe(0);
  const on = await run("edge", "on");
  expect(on.stdout).toMatch(/The edge is on.*\nfastly SU1\S+: in sync; it holds 2 of 2 fingerprints\.\n/);
  expect(fastly.items.size).toBe(2);
  const cleared = await run("edge", "clear", one);
  expect(cleared.stdout).toContain(
    "No longer denied: GET shop.example/foo from 203.0.113.9 as curl/8.\n1 fingerprint.\n",
  );
  expect([...fastly.items.keys()]).toEqual([standard(other).key]);
  expect((await run("edge", "off")).stdout).toContain("it holds 0 of 0 fingerprints");
  expect(fastly.items.size).toBe(0);
  expect(JSON.stringify(await run("edge", "status", "--json"))).not.toContain(fastly.token);
});

it("clears an address with more fingerprints than fit into one record", async () => {
  const minute = Math.floor(Number((await redis.time())[0]) / 60);
  const shown = { host: "shop.example", method: "GET" };
  const sightings = Array.from({ length: 450 }, (_, i) => ({
    ...{ ...standard(one, `/${i}`), ...shown, path: `/${i}`, more: 500 },
  }));
  await sendSightings(redis, { minute, sightings: { standard: sightings, broad: [] } });
  await run("edge", "on");
  expect(fastly.items.size).toBe(450);
  const cleared = await run("edge", "clear", one, "--reason", "by phone");
  expect(cleared.stdout).toContain("450 fingerprints.");
  expect(fastly.items.size).toBe(0);
  expect(await redis.xlen("sluice:audit")).toBe(3);
});

it("shows denied clients with the reason, worst first, and clears by key", async () => {
  await hammer();
  await run("edge", "on");
  const status = await run("edge", "status");
  expect(status.stdout).toMatch(/203\.0\.113\.\d+ +GET shop\.example\/foo +500 +120 +until .* \(\d+m/);
  expect(status.stdout).toContain("2 fingerprints.");
  const { limited, edge: switched } = JSON.parse((await run("edge", "status", "--json")).stdout);
  expect(switched).toEqual({ isOn: true });
  expect(limited).toHaveLength(2);
  expect((await run("edge", "clear", standard(other).key)).exit).toBe(0);
  const gone = await run("edge", "clear", other);
  expect(gone).toMatchObject({
    exit: 1,
    stderr: "203.0.113.10 is not denied at the edge. Nothing was changed.\n",
  });
});

it("leaves the sync to the process that runs it", async () => {
  await hammer();
  const fake = new FakeDictionary();
  const edgeSync = new EdgeSync({ redis, dictionaries: [fake], everyMs: 50 });
  const running = edgeSync.run();
  await eventually(() => expect(fake.keys.size).toBe(2));
  const off = await run("edge", "off");
  expect(off.stdout).toContain("fake: in sync; it holds 0 of 0 fingerprints.");
  expect(fake.keys.size).toBe(0);
  expect(fastly.calls).toEqual({ reads: 0, changes: 0 });
  edgeSync.stop();
  await running;
});

it("reports mistakes in the settings", async () => {
  const wrong = await sluice(["edge", "off"], {
    redisUrl: server.url,
    environment: { edge: "varnish://host" },
  });
  expect(wrong).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^SLUICE_EDGE: .*secret=/) });
  const without = await sluice(["edge", "off"], { redisUrl: server.url });
  expect(without).toMatchObject({
    ...{ exit: 1, stdout: expect.stringContaining("No edge is connected. Set SLUICE_EDGE to the value") },
  });
});
