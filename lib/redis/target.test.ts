import { describe, expect, it } from "vitest";
import { readTarget } from "./target.ts";

const read = (text: string) => readTarget(text, "REDIS_URL");

describe("a Redis address", () => {
  it("is one server", () => {
    expect(read(" redis://user:pass@127.0.0.1:6380/2 ")).toEqual({
      kind: "single",
      url: "redis://user:pass@127.0.0.1:6380/2",
    });
    expect(read("/run/redis.sock")).toEqual({ kind: "single", url: "/run/redis.sock" });
  });

  it("is a set watched by Sentinel", () => {
    expect(read("redis+sentinel://:p%40ss@10.0.0.1:26379,[2001:db8::1]:26380/mymaster/3")).toEqual({
      kind: "sentinel",
      options: {
        name: "mymaster",
        password: "p@ss",
        db: 3,
        sentinels: [
          { host: "10.0.0.1", port: 26379 },
          { host: "2001:db8::1", port: 26380 },
        ],
      },
    });
  });

  it("is a cluster when it is a list", () => {
    const nodes = ["redis://a:1", "redis://b:2"];
    expect(read("redis://a:1, b:2")).toEqual({ kind: "cluster", nodes, options: {} });
    expect(read("a:1, rediss://ada:p%40ss@b:2")).toMatchObject({
      options: { username: "ada", password: "p@ss", tls: {} },
    });
  });

  it.each(["", "http://a:1", "redis://", "redis+sentinel://a:1", "nonsense", "redis+sentinel://,/m"])(
    "refuses %j and says what was expected",
    (text) => {
      expect(() => read(text)).toThrow(/^REDIS_URL cannot be read: /);
    },
  );

  it("never repeats a password in a message", () => {
    expect(() => read("rediss+sentinel://user:s3cret@")).toThrow(expect.not.stringContaining("s3cret"));
  });
});
