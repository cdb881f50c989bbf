import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cidr, type Ip, parseAddress } from "../ip/parse.ts";
import { type Connection, connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { Rates } from "./rates.ts";
import { clientsInside, readReached } from "./reach.ts";
import { sendReport } from "./report.ts";

let server: TestRedis;
let redis: Connection;
const midnight = 1_700_006_400_000;
const minuteMs = 60_000;
const minutes = [0, 1, 2].map((n) => midnight / minuteMs + n);

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
  await came("shop", 0, { "ip 203.0.113.7": [10, 4], "ip 203.0.113.8": [3, 0], "ip 198.51.100.1": [99, 99] });
  await came("docs", 0, { "ip 203.0.113.7": [5, 0], "customer 203.0.113.7": [50, 50] });
  await came("shop", 2, { "ip 203.0.113.7": [1, 1], "ip 2001:db8:1:2::/64": [8, 2] });
  await came("shop", 3, { "ip 203.0.113.7": [1_000, 0] });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function came(app: string, minute: number, clients: Record<string, [count: number, denied: number]>) {
  const hitters = Object.entries(clients).map(([name, [count, denied]]) => ({ name, count, denied }));
  const report = { counts: new Map([["pass", 1]]), hitters, seen: [] };
  await sendReport(redis, { app, node: "n", report, nowMs: midnight + minute * minuteMs });
}

const at = (text: string): Ip | Cidr => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};

const known = () =>
  new Rates(redis).read({ kind: "ip", periodMinutes: 1, windows: 3, nowMs: midnight + 2 * minuteMs });

it("adds up what the clients of a range did, over apps and minutes, the busiest first", async () => {
  const clients = clientsInside(await known(), at("203.0.113.0/24"));
  expect(await readReached(redis, { clients, minutes })).toEqual([
    { client: "203.0.113.7", requests: 16, denied: 5 },
    { client: "203.0.113.8", requests: 3, denied: 0 },
  ]);
});

it("knows an IPv6 address by its network, and a wider range by the networks in it", async () => {
  for (const range of ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"])
    expect(clientsInside(await known(), at(range))).toEqual(["2001:db8:1:2::/64"]);
  expect(clientsInside(await known(), at("2001:db8:1:3::/64"))).toEqual([]);
});

it("names nobody who did not come", async () => {
  expect(await readReached(redis, { clients: ["192.0.2.1"], minutes })).toEqual([]);
  expect(await readReached(redis, { clients: [], minutes })).toEqual([]);
});
