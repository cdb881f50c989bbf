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

it("adds, lists and revokes a token, and shows its secret once", async () => {
  const added = await sluice("token add deploy --scope read --scope policy");
  const [secret = ""] = /slc_[\w-]{43}/.exec(added.stdout) ?? [];
  expect([added.exit, secret.length]).toEqual([0, 47]);
  const { stdout } = await sluice("token list");
  expect(stdout).toMatch(new RegExp(`deploy +${secret.slice(0, 8)}… +read policy +all +cli:\\S+ +never +20`));
  expect(stdout).not.toContain(secret);
  expect((await sluice("token revoke deploy")).exit).toBe(0);
  expect((await sluice("token list")).stdout).toBe("No tokens.\n");
});

it("prints the secret and the end as JSON", async () => {
  const { stdout } = await sluice("token add ci --scope read --expires never --json");
  expect(JSON.parse(stdout)).toMatchObject({
    name: "ci",
    scopes: ["read"],
    until: null,
    secret: expect.stringMatching(/^slc_/),
  });
  const limited = await sluice("token add shop --scope read --app shop --expires 1h --json");
  const { app, at, until } = JSON.parse(limited.stdout);
  expect([app, Date.parse(until) - Date.parse(at)]).toEqual(["shop", 3_600_000]);
});

it.each([
  "token add ci",
  "token add ci --scope reed",
  "token add ci --scope lists --app shop",
  "token add ci --scope read --expires soon",
  "token revoke ci",
])("refuses %s", async (line) => {
  const { exit, stderr } = await sluice(line);
  expect([exit, stderr.length > 0]).toEqual([1, true]);
  expect(await server.client.exists("sluice:tokens")).toBe(0);
});
