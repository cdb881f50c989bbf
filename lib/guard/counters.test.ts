import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { readBlock } from "../ip/parse.ts";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import type { CountersState } from "../stats/nodes.ts";
import { type Lease, leaseStation } from "./station.ts";
import { Throttle } from "./throttle.ts";

let control: TestRedis;
let counters: TestRedis;
let station: Lease;
let throttle: Throttle;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
});

beforeEach(async () => {
  const urls = { redis: control.url, counters: counters.url };
  station = leaseStation({ ...urls, app: "shop", protectedRanges: [], log: () => {} });
  throttle = new Throttle(station.node, station.counters, station.bans, { app: "shop", clients: {} });
  await station.node.ready;
  await untilThey("ok");
});

afterEach(async () => {
  throttle.close();
  await station.release();
});

afterAll(() => Promise.all([control.stop(), counters.stop()]));

/** With a request now and then, as there always is one. */
async function untilThey(are: CountersState): Promise<void> {
  const client = readBlock("192.0.2.1");
  if (!client) throw new Error("not an address");
  await eventually(async () => {
    await throttle.decide({ ip: "192.0.2.1" }, client);
    expect(station.counters.state).toBe(are);
  });
}

it("knows that an answer is overdue, that there is no server, and that it answers again", async () => {
  counters.freeze();
  await untilThey("late");
  counters.thaw();
  await untilThey("ok");
  await counters.kill();
  await untilThey("away");
  await counters.restart();
  await untilThey("ok");
});

it("knows that they refuse", async () => {
  await counters.client.config("SET", "maxmemory", "1");
  await untilThey("refused");
  await counters.client.config("SET", "maxmemory", "0");
  await untilThey("ok");
});

it("knows that the server is gone also while nobody asks", async () => {
  await counters.kill();
  await eventually(() => expect(station.counters.state).toBe("away"));
  await counters.restart();
  await eventually(() => expect(station.counters.state).toBe("ok"));
});
