import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { sluice as run } from "./testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
});

const explain = (ip: string, ...more: string[]) => run(["explain", ip, ...more], { redisUrl: server.url });

it("says that nothing stops a client that no list knows", async () => {
  const { exit, stdout } = await explain("::ffff:1.2.3.4");
  expect(exit).toBe(0);
  expect(stdout).toContain("1.2.3.4 passes: nothing stops it.");
  expect(stdout).not.toMatch(/^>/m);
});

it("marks the step that decides, and shows until when", async () => {
  await server.client.setex("blocklist:203.0.113.0/24", 604_800, "scanner");
  const { stdout } = await explain("203.0.113.9");
  expect(stdout).toContain("203.0.113.9 is blocked (403): the blocklist decides.");
  expect(stdout).toMatch(
    /^> blocklist {2}203\.0\.113\.0\/24 is on the blocklist \(scanner\): it is stopped\.$/m,
  );
  expect(stdout).toMatch(/203\.0\.113\.0\/24: until .* UTC \(1w\)/);
  expect(stdout).toMatch(
    /^ {2}rules {6}Not reached\. What they have counted:\n {13}req\/ip\/1: 0 of 300 per 5 min for 203\.0\.113\.9\.$/m,
  );
  await server.client.set("safelist:203.0.113.9", "{}");
  expect((await explain("203.0.113.9")).stdout).toMatch(/always passes[\s\S]*^> safelist /m);
});

it("shows what is not obeyed, and why; as JSON, too", async () => {
  await server.client.set("blocklist:0.0.0.0/0", "all");
  expect((await explain("1.2.3.4")).stdout).toContain("but is not obeyed: it is wider than /16.");
  const { stdout } = await explain("1.2.3.4", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ client: "1.2.3.4", outcome: "pass", status: 200 },
    steps: [
      { step: "client" },
      { step: "safelist" },
      { step: "blocklist", entries: [{ address: "0.0.0.0/0" }] },
      {
        step: "rules",
        rules: [{ name: "req/ip/1", used: 0, limit: 300 }, { name: "req/ip/2" }, { name: "rate/ip" }],
      },
    ],
  });
});

it("does not take a user who may not look for a Redis that is away", async () => {
  await server.client.call("ACL", "SETUSER", "blind", "on", ">pw", "+time");
  const redisUrl = server.url.replace("//", "//blind:pw@");
  const { exit, stderr } = await run(["explain", "1.2.3.4"], { redisUrl });
  expect(exit).toBe(1);
  expect(stderr).toContain("The Redis user may not do this");
});
