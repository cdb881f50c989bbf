import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { heartbeat } from "../../enforce/stats/membership.ts";
import { sealFrom } from "../../manage/audit/seal.ts";
import { connectControl } from "../../redis/connect.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
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

/** A round without running checks. On a busy machine, the first ones take longer than a round waits. */
const completeRound = (options?: { isForced: boolean }) =>
  eventually(async () => {
    const round = await rounds.findings(options);
    expect(round.looking).toEqual([]);
    return round;
  });

describe("rounds", () => {
  it("returns the findings of every check with their time", async () => {
    const round = await completeRound();
    expect(round.findings.map(({ check }) => check)).toEqual(checks.map(({ name }) => name));
    expect(new Set(round.findings.map(({ lookedAt }) => lookedAt))).toEqual(new Set([1_000_000]));
  });

  it("runs a check again after some seconds, and a thorough one only after minutes or if forced", async () => {
    await completeRound();
    await server.client.config("SET", "maxmemory-policy", "allkeys-lru");
    await server.client.set("blocklist:0.0.0.0/0", "x");
    now += 1_000;
    expect(of(await completeRound({ isForced: true }), "eviction")?.status).toBe("ok");
    now += 4_000;
    const later = await completeRound();
    expect(of(later, "eviction")?.status).toBe("problem");
    expect(of(later, "entries")).toMatchObject({ status: "ok", lookedAt: 1_000_000 });
    expect(of(await completeRound({ isForced: true }), "entries")?.status).toBe("problem");
    await server.client.del("blocklist:0.0.0.0/0");
    now += 600_000;
    expect(of(await completeRound(), "entries")?.status).toBe("ok");
  });

  it("does not wait for a slow check, and returns its findings later", async () => {
    await server.client.set("sluice:live:change", "5");
    const node = { app: "shop", version: "0", host: "there", startedAt: 0, safelisted: 0, blocklisted: 0 };
    await heartbeat(server.client, { ...node, id: "late", change: 1, replicaAgeMs: 10, unknownClients: 0 });
    const begun = performance.now();
    const [one, other] = await Promise.all([rounds.findings(), rounds.findings()]);
    // The check itself gives a node that lags three seconds.
    expect(performance.now() - begun).toBeLessThan(2_800);
    expect(one.looking).toContain("nodes");
    expect(other.looking).toContain("nodes");
    expect(of(one, "nodes")).toBeUndefined();
    await expect
      .poll(async () => of(await rounds.findings(), "nodes")?.says, { timeout: 5_000 })
      .toContain("Behind: late");
  });

  it("keeps what was found while Redis is away, and what a check had found that Redis did not answer", async () => {
    const other = await startRedis();
    const redis = connectControl(other.url, "patiently");
    const patient = { url: other.url, countersUrl: other.url, protectedRanges: [], seal: undefined };
    const ofOther = new Rounds({ ...patient, redis }, () => now);
    const found = { status: "ok", lookedAt: 1_000_000 };
    try {
      await other.client.config("SET", "maxmemory-policy", "noeviction");
      await eventually(async () => expect((await ofOther.findings()).looking).toEqual([]));
      now += 10_000;
      const info = vi.spyOn(redis, "info").mockRejectedValue(new Error("Command timed out"));
      expect(of(await ofOther.findings(), "eviction")).toMatchObject(found);
      expect(info).toHaveBeenCalled();
      info.mockRestore();
      await other.kill();
      now += 10_000;
      const gone = await ofOther.findings();
      expect(of(gone, "connection")?.status).toBe("problem");
      expect(of(gone, "eviction")).toMatchObject(found);
    } finally {
      redis.disconnect();
      await other.stop();
    }
  });

  it("returns only the finding on the connection if there is none", async () => {
    const gone = await startRedis();
    await gone.stop();
    const patient = { url: gone.url, countersUrl: gone.url, protectedRanges: [], seal: undefined };
    const redis = connectControl(gone.url, "patiently");
    const round = await new Rounds({ ...patient, redis }).findings();
    redis.disconnect();
    expect(round).toMatchObject({ findings: [{ check: "connection", status: "problem" }], looking: [] });
  });
});
