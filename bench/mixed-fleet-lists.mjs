import { setTimeout as pause } from "node:timers/promises";
import { banSeconds } from "./mixed-fleet-policy.mjs";
import { leftInWindow, untilThereIs } from "./mixed-fleet-world.mjs";

const path = "/lists";
const blockedBy = (/** @type {string} */ entry) =>
  /** @type {const} */ ({ outcome: "blocked", rule: `blocklist:${entry}` });
const safeBy = (/** @type {string} */ entry) =>
  /** @type {const} */ ({ outcome: "safelisted", rule: `safelist:${entry}` });
const passes = /** @type {const} */ ({ outcome: "pass" });

let addresses = 0;
/** One that no node has seen. */
export const newAddress = () =>
  `13.${addresses % 250}.${Math.floor(addresses / 250)}.${(addresses++ % 200) + 1}`;

/**
 * Changes of lists and customers, each with what all nodes must say then.
 * @param {import("./mixed-fleet-world.mjs").World} world @param {() => boolean} isExact whether the policy of the bench is in force
 * @returns {Record<string, () => Promise<void>>}
 */
export function listChanges(
  { redis, nodeAt, ask, probe, expectAll, awaitAll, expectInTurn, change, report },
  isExact,
) {
  return {
    async "an address, safelisted and removed"() {
      const ip = newAddress();
      await expectAll({ ip, path }, passes);
      await change(["block", "add", ip, "--ttl", "1h"]);
      await expectAll({ ip, path }, blockedBy(ip));
      await expectAll({ ip: `::ffff:${ip}`, path }, blockedBy(ip));
      await change(["safelist", "add", ip, "--ttl", "1h"]);
      await expectAll({ ip, path }, safeBy(ip));
      await change(["safelist", "remove", ip]);
      await expectAll({ ip, path }, blockedBy(ip));
      await change(["block", "remove", ip]);
      await expectAll({ ip, path }, passes);
    },
    async "an entry that redis-cli writes, and that expires"() {
      const ip = newAddress();
      await redis.set(`blocklist:${ip}`, "redis-cli", "PX", 2_000);
      const endsAt = await redis.pexpiretime(`blocklist:${ip}`);
      await awaitAll({ ip, path }, blockedBy(ip), 500);
      const early = await probe({ ip, path }, blockedBy(ip));
      if (Date.now() < endsAt - 100) for (const text of early) report(text);
      await pause(Math.max(0, endsAt - Date.now() + 150));
      await expectAll({ ip, path }, passes);
    },
    async "an entry that expires later than it said"() {
      const ip = newAddress();
      await redis.set(`blocklist:${ip}`, "redis-cli", "PX", 15_000);
      const endsAt = await redis.pexpiretime(`blocklist:${ip}`);
      await awaitAll({ ip, path }, blockedBy(ip), 500);
      await change(["block", "extend", ip, "--ttl", "1h"]);
      await pause(Math.max(0, endsAt - Date.now() + 500));
      await expectAll({ ip, path }, blockedBy(ip));
      await redis.del(`blocklist:${ip}`);
      await awaitAll({ ip, path }, passes, 500);
    },
    async "ranges of both families"() {
      const third = addresses++ % 250;
      const [four, six] = [`14.1.${third}.0/24`, `2001:db8:${third + 1}::/48`];
      await change(["block", "add", four, six, "--ttl", "1h"]);
      await expectAll({ ip: `14.1.${third}.77`, path }, blockedBy(four));
      await expectAll({ ip: `2001:db8:${(third + 1).toString()}:9::1`, path }, blockedBy(six));
      await change(["safelist", "add", `14.1.${third}.77`]);
      await expectAll({ ip: `14.1.${third}.77`, path }, safeBy(`14.1.${third}.77`));
      await expectAll({ ip: `14.1.${third}.78`, path }, blockedBy(four));
      await change(["block", "remove", four, six]);
      await expectAll({ ip: `14.1.${third}.78`, path }, passes);
    },
    async "a protected range"() {
      const third = addresses++ % 250;
      const [ip, range] = [`15.1.${third}.9`, `15.1.${third}.0/24`];
      await change(["block", "add", ip, "--ttl", "1h"]);
      await expectAll({ ip, path }, blockedBy(ip));
      await change(["never-block", "add", range]);
      await expectAll({ ip, path }, passes);
      await change(["never-block", "remove", range]);
      await expectAll({ ip, path }, blockedBy(ip));
    },
    async "an import and its undo"() {
      const third = addresses++ % 250;
      const lines = Array.from({ length: 1_200 }, (_, i) => `16.${third}.${i >> 8}.${i & 255}`);
      const { record } = await change(["block", "import", "-", "--ttl", "1h"], {
        input: lines.join("\n"),
      });
      for (const ip of [lines[0], lines[600], lines[1_199]])
        await expectAll({ ip: ip ?? "", path }, blockedBy(ip ?? ""));
      if (record === undefined) return;
      await change(["undo", String(record)]);
      for (const ip of [lines[0], lines[600], lines[1_199]]) await expectAll({ ip: ip ?? "", path }, passes);
    },
    async "a customer's tier, limits and reset"() {
      if (!isExact()) return;
      const id = `customer-${addresses++}`;
      const request = { ip: newAddress(), path: "/customer/x", customerId: id };
      await change(["customer", "tier", id, "enterprise"]);
      await change(["customer", "limit", id, "3/1h"]);
      if (leftInWindow() < 1_000) await untilThereIs(8_000);
      await expectInTurn(request, [passes, passes, passes, { outcome: "throttled", rule: "req/customer" }]);
      await expectAll(request, { outcome: "throttled", rule: "req/customer" });
      await change(["customer", "reset", id]);
      await expectInTurn(request, [passes, passes, passes, { outcome: "throttled", rule: "req/customer" }]);
      await change(["customer", "limit", id, "--clear"]);
      await expectAll(request, passes);
    },
    async "a ban"() {
      if (!isExact()) return;
      const request = { ip: newAddress(), path: "/login" };
      for (let i = 0; i < 10; i++) await ask(nodeAt(i), request);
      await awaitAll(request, blockedBy(request.ip), 3_000);
      await awaitAll({ ...request, path }, passes, (banSeconds + 2) * 1_000);
    },
  };
}
