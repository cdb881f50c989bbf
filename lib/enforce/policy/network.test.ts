import { expect, it } from "vitest";
import { ClientAddress } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { createTestGuard } from "../guard/test-guard.ts";
import { definePolicy, type PolicyInput } from "./define.ts";
import { formatOf } from "./versions.ts";
import { sayClient } from "./words.ts";

type RuleInput = PolicyInput["rules"][number];

const network: RuleInput = {
  name: "net",
  client: { ip: { v4: 24, v6: 48 } },
  algorithm: "fixed",
  levels: [{ limit: 2, periodSeconds: 3_600 }],
};
const guardWith = (rule: RuleInput, given = {}) =>
  createTestGuard({ policy: { mode: "enforce", rules: [rule], tiers: {} }, ...given });
const problemOf = (client: unknown) => () =>
  definePolicy({ mode: "enforce", rules: [{ ...network, client } as RuleInput], tiers: {} });

it("counts all addresses of a network as one client, and says which network", async () => {
  const guard = guardWith(network);
  const outcomes: string[] = [];
  for (const ip of ["203.0.113.1", "203.0.113.77", "203.0.113.200", "203.0.112.1"])
    outcomes.push((await guard.check({ ip })).outcome);
  expect(outcomes).toEqual(["pass", "pass", "throttled", "pass"]);
  expect((await guard.check({ ip: "203.0.113.9" })).counted).toBe("203.0.113.0/24");
  const { steps } = await guard.explain({ ip: "203.0.113.9" });
  expect(steps.at(-1)?.rules?.[0]?.says).toContain("2 of 2 per 1 h for 203.0.113.0/24");
  const six: string[] = [];
  for (const ip of ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff::9", "2001:db8:2::1"])
    six.push((await guard.check({ ip })).outcome);
  expect(six).toEqual(["pass", "pass", "throttled", "pass"]);
});

it("counts together with something else, and a customer without limits of its own by its id", async () => {
  const both = guardWith({ ...network, client: { all: [{ ip: {} }, "path"] } });
  for (const ip of ["203.0.113.1", "203.0.113.2"]) await both.check({ ip, path: "/a" });
  expect((await both.check({ ip: "203.0.113.3", path: "/a" })).counted).toBe("203.0.113.0/24|/a");
  expect((await both.check({ ip: "203.0.113.3", path: "/b" })).outcome).toBe("pass");
  const anonymous = guardWith({ ...network, match: { who: "anonymous" } });
  for (const ip of ["203.0.113.1", "198.51.100.1", "192.0.2.1"])
    expect((await anonymous.check({ ip, customerId: "acme" })).outcome).toBe(
      ip === "192.0.2.1" ? "throttled" : "pass",
    );
});

it("bans the network, unless lockout protection forbids it; a safelisted address inside still passes", async () => {
  const ban = { after: 2, withinSeconds: 600, forSeconds: 3_600, capSeconds: 86_400 };
  const guard = guardWith({ ...network, ban }, { safelist: ["203.0.113.50"] });
  for (let i = 1; i <= 4; i++) await guard.check({ ip: `203.0.113.${i}` });
  expect(await guard.check({ ip: "203.0.113.99" })).toMatchObject({
    ...{ outcome: "blocked", rule: "blocklist:203.0.113.0/24" },
  });
  expect((await guard.check({ ip: "203.0.113.50" })).outcome).toBe("safelisted");
  const protectedGuard = guardWith({ ...network, ban }, { neverBlock: ["198.51.100.7"] });
  for (let i = 1; i <= 6; i++) await protectedGuard.check({ ip: `198.51.100.${i}` });
  expect((await protectedGuard.check({ ip: "198.51.100.99" })).outcome).toBe("throttled");
});

it("bans no more than a /24 of a wider network", async () => {
  const ban = { after: 1, withinSeconds: 600, forSeconds: 3_600, capSeconds: 86_400 };
  const guard = guardWith({ ...network, client: { ip: { v4: 16, v6: 48 } }, ban });
  for (let i = 1; i <= 4; i++) await guard.check({ ip: `203.0.113.${i}` });
  expect((await guard.check({ ip: "203.0.113.99" })).rule).toBe("blocklist:203.0.113.0/24");
  expect((await guard.check({ ip: "203.0.5.1" })).outcome).toBe("throttled");
});

it("has lengths that make sense, words, and a format of its own", () => {
  expect(problemOf({ ip: { v4: 8 } })).toThrow("client.ip.v4: write a whole number from 16 to 32");
  expect(problemOf({ ip: { v6: 80 } })).toThrow("client.ip.v6: write a whole number from 32 to 64");
  expect(problemOf({ ip: {}, header: "x" })).toThrow("name exactly one of ip, header, cookie, code, all");
  const policy = definePolicy({ mode: "enforce", rules: [network], tiers: {} });
  expect(policy.rules[0] && sayClient(policy.rules[0].client)).toBe(
    "network of the address (IPv4 /24, IPv6 /48)",
  );
  expect(formatOf(policy)).toBe(6);
});

it("keeps the network of an address beside the one that statistics use", () => {
  const block = readBlock("2001:db8:1:2::3");
  const client = block && new ClientAddress(block);
  const lengths = { v4: 24, v6: 48 };
  expect([client?.network(64), client?.within(lengths), client?.network(64)]).toEqual([
    "2001:db8:1:2::/64",
    "2001:db8:1::/48",
    "2001:db8:1:2::/64",
  ]);
  expect(client?.within(lengths)).toBe(client?.within(lengths));
});
