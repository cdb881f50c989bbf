import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connectControl } from "./connect.ts";
import { defineScript, listIn, outcomesOf, repliesOf } from "./script.ts";
import { startRedis, type TestRedis } from "./testing.ts";

const addAll = defineScript({
  lua: `local sum = redis.call("INCRBY", KEYS[1], ARGV[1])\nreturn {sum, tostring(sum / 3)}`,
  keys: ({ key }: { key: string; by: number }) => [key],
  args: ({ by }) => [by],
  reply: ([sum, third]: [number, string]) => ({ sum, third: Number(third) }),
});

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

it("runs with typed keys, arguments and reply", async () => {
  expect(await addAll.run(redis, { key: "sum", by: 6 })).toEqual({ sum: 6, third: 2 });
});

it("heals a server that has lost its scripts, and runs each call once", async () => {
  await server.client.set("healed", 0);
  await server.client.script("FLUSH");
  const sums = await Promise.all([1, 1, 1].map((by) => addAll.run(redis, { key: "healed", by })));
  expect(sums.map(({ sum }) => sum).sort()).toEqual([1, 2, 3]);
});

it("passes on what a script itself complains of", async () => {
  await server.client.lpush("list", "x");
  await expect(addAll.run(redis, { key: "list", by: 1 })).rejects.toThrow(/WRONGTYPE/);
});

it("gives the replies in the order of the commands", async () => {
  expect(await repliesOf(redis.pipeline().set("a", 1).get("a").get("b"))).toEqual(["OK", "1", null]);
  expect(await repliesOf(redis.pipeline())).toEqual([]);
});

it("throws the first error, or gives each command's own", async () => {
  const pipeline = () => redis.pipeline().set("text", "x").llen("text").get("text");
  await expect(repliesOf(pipeline())).rejects.toThrow("WRONGTYPE");
  const [, [error] = [null], last] = await outcomesOf(pipeline());
  expect(error).toBeInstanceOf(Error);
  expect(last).toEqual([null, "x"]);
});

it("throws for a reply that is no list", () => {
  expect(listIn(["a"])).toEqual(["a"]);
  expect(() => listIn(null)).toThrow("something other than a list");
});
