import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
});

const sluice = (line: string) => run(line.split(" "), { redisUrl: server.url });
const template = "https://logs.example.org/?q={ip}";

it("sets, lists and removes a link", async () => {
  expect(await sluice(`link set client Logs ${template}`)).toMatchObject({
    exit: 0,
    stdout: "The link Logs of clients is set.\n",
  });
  expect((await sluice("link list")).stdout).toMatch(/clients +Logs +https:\/\/logs\.example\.org/);
  expect((await sluice(`link set client Logs ${template}`)).stdout).toContain("Nothing changed");
  expect((await sluice("link remove client Logs")).exit).toBe(0);
  expect((await sluice("link list")).stdout).toBe("No links.\n");
});

it.each([
  `link set client Logs http://logs.example.org/{ip}`,
  `link set customers Logs ${template}`,
  `link set customer Logs ${template}`,
  "link remove client Logs",
])("refuses %s", async (line) => {
  const { exit, stderr } = await sluice(line);
  expect([exit, stderr.length > 0]).toEqual([1, true]);
  expect(await server.client.exists("sluice:links")).toBe(0);
});
