import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { heartbeat, type NodeReport } from "../../enforce/stats/membership.ts";
import { sendClients, sendOwners } from "../../enforce/stats/report.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { customersKnown, judgeRates, nearbyLimits } from "./judged-rates.ts";

describe("customers of addresses", () => {
  let server: TestRedis;
  const scope = { key: "0123456789abcdef", seconds: 60, isBroad: false, isAnonymous: false } as const;
  const asked = { scope: scope.key, kind: "ip", periodSeconds: 60, span: "1h", limit: 10 } as const;
  const node: NodeReport = {
    ...{ id: "n", app: "shop", version: "1", host: "h", startedAt: 0, change: 0, replicaAgeMs: 0 },
    ...{ safelisted: 0, blocklisted: 0, unknownClients: 0, ownersFormat: 1 },
  };

  beforeAll(async () => {
    server = await startRedis();
    vi.stubEnv("REDIS_URL", server.url);
    vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  });

  afterAll(async () => {
    theConsole().redis.disconnect();
    theConsole().counters.disconnect();
    for (const name of ["console", "statistics", "shared answers"]) forgetOnce(name);
    await server.stop();
    vi.unstubAllEnvs();
  });

  it("are those that nodes report, without any sample of their requests", async () => {
    const { redis } = theConsole();
    await eventually(() => redis.ping());
    const now = Date.now();
    const counts = [
      ["192.0.2.1", 30],
      ["192.0.2.2", 20],
      ["2001:db8:7::/64", 15],
      ["192.0.2.3", 5],
    ] as const;
    const bucket = Math.floor(now / 10_000);
    const scopes = [{ key: scope.key, seconds: scope.seconds, bucket, clients: counts }];
    await sendClients(redis, { counted: [scope], scopes, shadowed: new Map() }, now);
    await heartbeat(redis, node);
    await sendOwners(redis, [
      { address: "192.0.2.1", customer: "acme", requests: 1 },
      { address: "192.0.2.1", customer: "1042", requests: 1 },
      { address: "2001:db8:7::9", customer: "acme", requests: 1 },
      { address: "192.0.2.3", customer: "2210", requests: 1 },
    ]);
    const { judged, top, customersBy, customersMayMiss } = await judgeRates(asked);
    expect(judged[0]).toMatchObject({ limit: 10, clients: 3, customers: 2 });
    expect(top.map(({ client, customers }) => [client, customers.toSorted()])).toEqual([
      ["192.0.2.1", ["1042", "acme"]],
      ["192.0.2.2", []],
      ["2001:db8:7::/64", ["acme"]],
      ["192.0.2.3", ["2210"]],
    ]);
    // Reports began now: a customer of the hour before may be missing.
    expect({ customersBy, customersMayMiss }).toEqual({ customersBy: "reports", customersMayMiss: true });
  });

  it("are complete only where nodes reported all of the time, and of all clients over a limit", () => {
    const said = (knownSince: number | undefined, read: number) =>
      customersKnown("ip", { knownSince, read }, 1_000, [{ clients: 3 }]).customersMayMiss;
    expect([said(999, 3), said(1_001, 3), said(undefined, 3), said(999, 2)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(customersKnown("ip", undefined, 0, []).customersBy).toBe("unknown");
    expect(customersKnown("other", undefined, 0, []).customersBy).toBe("unknown");
    expect(customersKnown("anonymous", undefined, 0, []).customersBy).toBe("name");
  });
});

it("offers limits around one, as people would write them, the highest first", () => {
  expect(nearbyLimits(300)).toEqual([900, 600, 250, 200]);
  expect(nearbyLimits(121_300)).toEqual([350_000, 250_000, 100_000, 80_000]);
});

it.each([1, 2, 3, 7, 12, 99, 1_000, 86_400])("never offers %i itself, one twice, or none at all", (limit) => {
  const found = nearbyLimits(limit);
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain(limit);
  expect(new Set(found).size).toBe(found.length);
  expect(found.every((one) => Number.isInteger(one) && one >= 1)).toBe(true);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
});
