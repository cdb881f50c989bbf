import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendSightings } from "../edge/sightings.ts";
import { Sweep } from "../edge/sweep.ts";
import { Shelf, standard } from "../edge/vitest.edge.ts";
import { FastlyStand } from "../edge/vitest.fastly.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { sluice } from "./testing.ts";

let server: TestRedis;
let redis: Connection;
let stand: FastlyStand;
let edge: string;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
beforeEach(async () => {
  await server.client.flushall();
  stand = new FastlyStand();
  const api = await stand.start();
  edge = `fastly://SU1Z0isxPaozGVKXdv0eY/3vjTN8v1O7nOAY7aNDGOL?api=${api}`;
  return () => stand.stop();
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const run = (...argv: string[]) =>
  sluice(argv, { redisUrl: server.url, environment: { edge, fastlyToken: stand.token } });

const [one, other] = ["203.0.113.9", "203.0.113.10"];

/** Both came too often in this minute. */
async function hammer(): Promise<void> {
  const minute = Math.floor(Number((await redis.time())[0]) / 60);
  const shown = { host: "shop.example", path: "/foo", method: "GET" };
  const sightings = [one, other].map((address) => ({ ...standard(address), ...shown, more: 500 }));
  await sendSightings(redis, { minute, sightings: { standard: sightings, broad: [] } });
}

it("brings the edge to the wished state by itself while no console runs: on, clear, off", async () => {
  await hammer();
  const off = await run("edge", "off", "--reason", "the edge stops customers");
  expect(off).toMatchObject({ exit: 0, stderr: "" });
  expect(off.stdout).toMatch(
    /^The edge is off, by cli:\w+ at .* \(the edge stops customers\): it turns nobody away\.\n/,
  );
  expect(stand.items.size).toBe(0);
  const on = await run("edge", "on");
  expect(on.stdout).toMatch(/The edge is on.*\nfastly SU1\S+: as wished; it holds 2 of 2 wished for\.\n/);
  expect(stand.items.size).toBe(2);
  const cleared = await run("edge", "clear", one);
  expect(cleared.stdout).toContain(
    "Let in again: GET shop.example/foo from 203.0.113.9 as curl/8.\n1 fingerprint.\n",
  );
  expect([...stand.items.keys()]).toEqual([standard(other).key]);
  expect((await run("edge", "off")).stdout).toContain("it holds 0 of 0 wished for");
  expect(stand.items.size).toBe(0);
  expect(JSON.stringify(await run("edge", "status", "--json"))).not.toContain(stand.token);
});

it("lets in an address with more fingerprints than fit into one record", async () => {
  const minute = Math.floor(Number((await redis.time())[0]) / 60);
  const shown = { host: "shop.example", method: "GET" };
  const sightings = Array.from({ length: 450 }, (_, i) => ({
    ...{ ...standard(one, `/${i}`), ...shown, path: `/${i}`, more: 500 },
  }));
  await sendSightings(redis, { minute, sightings: { standard: sightings, broad: [] } });
  await run("edge", "on");
  expect(stand.items.size).toBe(450);
  const cleared = await run("edge", "clear", one, "--reason", "by phone");
  expect(cleared.stdout).toContain("450 fingerprints.");
  expect(stand.items.size).toBe(0);
  expect(await redis.xlen("sluice:audit")).toBe(3);
});

it("shows who is turned away and why, worst first, and clears by key", async () => {
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
    stderr: "203.0.113.10 is not turned away at the edge. Nothing was changed.\n",
  });
});

it("leaves it to the process that sweeps, if there is one", async () => {
  await hammer();
  const shelf = new Shelf();
  const sweep = new Sweep({ redis, dictionaries: [shelf], everyMs: 50 });
  const running = sweep.run();
  await eventually(() => expect(shelf.keys.size).toBe(2));
  const off = await run("edge", "off");
  expect(off.stdout).toContain("shelf: as wished; it holds 0 of 0 wished for.");
  expect(shelf.keys.size).toBe(0);
  expect(stand.calls).toEqual({ reads: 0, changes: 0 });
  sweep.stop();
  await running;
});

it("says what is wrong with the settings", async () => {
  const wrong = await sluice(["edge", "off"], {
    redisUrl: server.url,
    environment: { edge: "varnish://host" },
  });
  expect(wrong).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^SLUICE_EDGE: .*secret=/) });
  const without = await sluice(["edge", "off"], { redisUrl: server.url });
  expect(without).toMatchObject({
    ...{ exit: 1, stdout: expect.stringContaining("No edge is connected where it was swept") },
  });
});
