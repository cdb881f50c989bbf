import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealFrom } from "../audit/seal.ts";
import { connectControl } from "../redis/connect.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { heartbeat } from "../stats/nodes.ts";
import { checks } from "./check-up.ts";
import { type Round, Rounds } from "./rounds.ts";

let server: TestRedis;
let now = 0;
let rounds: Rounds;

beforeAll(async () => {
  server = await startRedis("--appendonly", "yes");
});

afterAll(() => server.stop());

beforeEach(async () => {
  await server.client.flushall();
  await server.client.config("SET", "maxmemory-policy", "noeviction");
  now = 1_000_000;
  const patient = {
    redis: server.client,
    url: server.url,
    countersUrl: server.url,
    protectedRanges: [],
    seal: sealFrom("a secret of at least thirty-two characters"),
  };
  rounds = new Rounds(patient, () => now);
});

const of = (round: Round, check: string) => round.findings.find((finding) => finding.check === check);

describe("rounds", () => {
  it("says what every check has found, and when", async () => {
    const round = await rounds.look();
    expect(round.looking).toEqual([]);
    expect(round.findings.map(({ check }) => check)).toEqual(checks.map(({ name }) => name));
    expect(new Set(round.findings.map(({ lookedAt }) => lookedAt))).toEqual(new Set([1_000_000]));
  });

  it("looks again when some seconds have gone by, at what reads much only after minutes or when asked", async () => {
    await rounds.look();
    await server.client.config("SET", "maxmemory-policy", "allkeys-lru");
    await server.client.set("blocklist:0.0.0.0/0", "x");
    now += 1_000;
    expect(of(await rounds.look({ isAskedFor: true }), "eviction")?.status).toBe("ok");
    now += 4_000;
    const later = await rounds.look();
    expect(of(later, "eviction")?.status).toBe("problem");
    expect(of(later, "entries")).toMatchObject({ status: "ok", lookedAt: 1_000_000 });
    expect(of(await rounds.look({ isAskedFor: true }), "entries")?.status).toBe("problem");
    await server.client.del("blocklist:0.0.0.0/0");
    now += 600_000;
    expect(of(await rounds.look(), "entries")?.status).toBe("ok");
  });

  it("does not wait for a slow check, and tells of it when it is done", async () => {
    await server.client.set("sluice:live:change", "5");
    const node = { app: "shop", version: "0", host: "there", startedAt: 0, safelisted: 0, blocklisted: 0 };
    await heartbeat(server.client, { ...node, id: "late", change: 1, replicaAgeMs: 10, unknownClients: 0 });
    const begun = performance.now();
    const [one, other] = await Promise.all([rounds.look(), rounds.look()]);
    // The check itself gives a node that lags three seconds.
    expect(performance.now() - begun).toBeLessThan(2_800);
    expect(one.looking).toEqual(["nodes"]);
    expect(other.looking).toEqual(["nodes"]);
    expect(of(one, "nodes")).toBeUndefined();
    await expect
      .poll(async () => of(await rounds.look(), "nodes")?.says, { timeout: 5_000 })
      .toContain("Behind: late");
  });

  it("tells of the connection alone when there is none", async () => {
    const gone = await startRedis();
    await gone.stop();
    const patient = { url: gone.url, countersUrl: gone.url, protectedRanges: [], seal: undefined };
    const redis = connectControl(gone.url, "patiently");
    const round = await new Rounds({ ...patient, redis }).look();
    redis.disconnect();
    expect(round).toMatchObject({ findings: [{ check: "connection", status: "problem" }], looking: [] });
  });
});
