import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import type { CountersState } from "../stats/membership.ts";
import { acquireRuntime, type Runtime } from "./shared-runtime.ts";
import { Throttle } from "./throttle.ts";

let control: TestRedis;
let counters: TestRedis;
let runtime: Runtime;
let throttle: Throttle;

beforeAll(async () => {
  [control, counters] = await Promise.all([startRedis(), startRedis()]);
});

beforeEach(async () => {
  const urls = { redis: control.url, counters: counters.url };
  runtime = acquireRuntime({ ...urls, app: "shop", protectedRanges: [], log: () => {} });
  throttle = new Throttle(runtime.node, runtime.counters, runtime.bans, { app: "shop", clients: {} });
  await runtime.node.ready;
  await untilThey("ok");
});

afterEach(async () => {
  throttle.close();
  await runtime.close();
});

afterAll(() => Promise.all([control.stop(), counters.stop()]));

/** With a request now and then, as there always is one. */
async function untilThey(are: CountersState): Promise<void> {
  const client = new ClientAddress(blockOf("192.0.2.1" as Ip));
  await eventually(async () => {
    await throttle.decide({ ip: "192.0.2.1" }, client, undefined, performance.now());
    expect(runtime.counters.state).toBe(are);
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

it("knows that the server is gone also without requests", async () => {
  await counters.kill();
  await eventually(() => expect(runtime.counters.state).toBe("away"));
  await counters.restart();
  await eventually(() => expect(runtime.counters.state).toBe("ok"));
});
