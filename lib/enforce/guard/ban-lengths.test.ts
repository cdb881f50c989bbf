import { afterEach, beforeEach, expect, it } from "vitest";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";

const log = testLog();
let guard: Guard;

beforeEach(async () => {
  guard = createGuard({ redis: `redis://127.0.0.1:${log.client.options.port}`, app: "shop", log: () => {} });
  await guard.ready();
});
afterEach(() => guard.close());

/** A ban as a node's account can write it. */
const ban = (...addresses: string[]) =>
  Promise.all(addresses.map((address) => log.client.set(keys.ban(at(address)), "{}", "PX", 600_000)));
const outcome = async (ip: string) => (await guard.check({ ip })).outcome;

async function publish(basedOn: number, rule?: object): Promise<void> {
  const rules = rule
    ? [{ name: "net", algorithm: "fixed", levels: [{ limit: 1_000, periodSeconds: 60 }], ...rule }]
    : [];
  const policy = { mode: "enforce", rules, tiers: {} };
  await setPolicy(log.signed(), { policy, basedOn, reason: "a test" });
}

const terms = { ban: { after: 10, withinSeconds: 60, forSeconds: 600, capSeconds: 600 } };

it("a ban of a network is enforced only while a rule bans networks of its length", async () => {
  await ban("203.0.113.7", "198.51.100.0/24", "198.18.0.0/25", "2001:db8:1:2::/64", "2001:db8:2::/48");
  // One client's own: no rule has to name it.
  await eventually(async () => expect(await outcome("203.0.113.7")).toBe("blocked"));
  await eventually(async () => expect(await outcome("2001:db8:1:2::9")).toBe("blocked"));
  for (const ip of ["198.51.100.9", "198.18.0.9", "2001:db8:2::9"]) expect(await outcome(ip)).toBe("pass");
  await publish(0, { client: { ip: { v4: 24, v6: 48 } }, ...terms });
  await eventually(async () => expect(await outcome("198.51.100.9")).toBe("blocked"));
  expect(await outcome("2001:db8:2::9")).toBe("blocked");
  expect(await outcome("198.18.0.9")).toBe("pass");
  await publish(1, { client: { ip: { v4: 24, v6: 48 } }, ...terms, mode: "shadow" });
  await eventually(async () => expect(await outcome("198.51.100.9")).toBe("pass"));
  await publish(2);
  expect(await outcome("203.0.113.7")).toBe("blocked");
});

it("the same holds for the first requests of a process, before it has its copies", async () => {
  await ban("203.0.113.7", "198.51.100.0/24");
  const first = createGuard({
    redis: `redis://127.0.0.1:${log.client.options.port}`,
    app: "new",
    log: () => {},
  });
  const [own, network] = await Promise.all([
    first.check({ ip: "203.0.113.7" }),
    first.check({ ip: "198.51.100.9" }),
  ]);
  await first.close();
  expect([own.outcome, network.outcome]).toEqual(["blocked", "pass"]);
});
