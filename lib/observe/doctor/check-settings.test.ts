import { describe, expect, it } from "vitest";
import { judgeSettings } from "./check-settings.ts";

const well = {
  secret: "a secret of at least thirty-two characters",
  publicUrl: "https://sluice.example.org",
  redisUrl: "rediss://sluice:hush@redis.example.org:6379",
  countersRedisUrl: "rediss://sluice:hush@redis.example.org:6379",
  checkToken: undefined,
  checkApps: undefined,
  metricsToken: undefined,
};

function judge(given: Partial<Record<keyof typeof well, string | undefined>>, check: string) {
  return judgeSettings({ ...well, ...given }).find((finding) => finding.check === check);
}

describe("judgeSettings", () => {
  it("finds no problem in safe settings, and skips those that are not set", () => {
    const found = judgeSettings(well);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "secret ok",
      "https ok",
      "redis-link ok",
    ]);
  });

  it.each([undefined, "", "short", "x".repeat(31)])("warns of the secret %j", (secret) => {
    expect(judge({ secret }, "secret")).toMatchObject({
      status: "problem",
      cure: expect.stringContaining("openssl"),
    });
  });

  it.each([
    [undefined, "note"],
    ["nowhere", "problem"],
    ["http://sluice.example.org", "problem"],
    ["http://10.0.0.9:3000", "problem"],
    ["http://localhost:3000", "ok"],
    ["http://127.0.0.1:3000", "ok"],
    ["http://[::1]:3000", "ok"],
    ["https://10.0.0.9", "ok"],
  ])("judges the console at %s: %s", (publicUrl, status) => {
    expect(judge({ publicUrl }, "https")?.status).toBe(status);
  });

  it.each([
    ["redis://127.0.0.1:6379", "ok", "this machine"],
    ["/run/redis.sock", "ok", "this machine"],
    ["redis://redis.example.org:6379", "note", "without TLS and a password."],
    ["redis://:hush@redis.example.org:6379", "note", "without TLS."],
    ["rediss://redis.example.org:6379", "note", "without a password."],
    ["redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/main", "note", "without TLS and a password."],
    ["rediss+sentinel://:hush@10.0.0.1:26379/main", "ok", "over TLS"],
  ])("judges the connection to %s: %s", (redisUrl, status, says) => {
    const found = judge({ redisUrl, countersRedisUrl: redisUrl }, "redis-link");
    expect(found).toMatchObject({ status, says: expect.stringContaining(says) });
    expect(JSON.stringify(found)).not.toContain("hush");
  });

  it("checks counters and tokens that are set", () => {
    expect(judge({ countersRedisUrl: "10.0.0.1:7000,10.0.0.2:7000" }, "counters-link")?.status).toBe("note");
    expect(judge({ checkToken: "tiny" }, "check-token")?.status).toBe("note");
    expect(judge({ checkToken: "a".repeat(16) }, "check-token")?.status).toBe("ok");
    expect(judge({ metricsToken: "tiny" }, "metrics-token")?.status).toBe("note");
    expect(judge({ metricsToken: "a".repeat(16) }, "metrics-token")?.status).toBe("ok");
  });

  it("notes that the check answers for apps of any name", () => {
    const checkToken = "a".repeat(16);
    expect(judge({ checkToken }, "check-apps")).toMatchObject({
      status: "note",
      says: expect.stringContaining("SLUICE_CHECK_APPS is not set"),
    });
    expect(judge({ checkToken, checkApps: "shop" }, "check-apps")?.status).toBe("ok");
    expect(judge({}, "check-apps")).toBeUndefined();
  });

  it("explains the effect of one token for both the check and metrics", () => {
    const [one, other] = ["a".repeat(16), "b".repeat(16)];
    expect(judge({ checkToken: one, metricsToken: other }, "metrics-token")?.status).toBe("ok");
    const found = judge({ checkToken: one, metricsToken: one }, "metrics-token");
    expect(found).toMatchObject({ status: "note", says: expect.stringContaining("for any address") });
    expect(JSON.stringify(found)).not.toContain(one);
  });
});
