import { describe, expect, it } from "vitest";
import { judgeSettings } from "./settings.ts";

const well = {
  secret: "a secret of at least thirty-two characters",
  publicUrl: "https://sluice.example.org",
  redisUrl: "rediss://sluice:hush@redis.example.org:6379",
  countersRedisUrl: "rediss://sluice:hush@redis.example.org:6379",
  token: undefined,
};

function judge(given: Partial<Record<keyof typeof well, string | undefined>>, check: string) {
  return judgeSettings({ ...well, ...given }).find((finding) => finding.check === check);
}

describe("judgeSettings", () => {
  it("finds nothing wrong where nothing is, and does not speak of what is not set", () => {
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
  ])("judges the way to %s: %s", (redisUrl, status, says) => {
    const found = judge({ redisUrl, countersRedisUrl: redisUrl }, "redis-link");
    expect(found).toMatchObject({ status, says: expect.stringContaining(says) });
    expect(JSON.stringify(found)).not.toContain("hush");
  });

  it("looks at counters and the token where there are any", () => {
    expect(judge({ countersRedisUrl: "10.0.0.1:7000,10.0.0.2:7000" }, "counters-link")?.status).toBe("note");
    expect(judge({ token: "tiny" }, "token")?.status).toBe("note");
    expect(judge({ token: "a".repeat(16) }, "token")?.status).toBe("ok");
  });
});
