import { describe, expect, it } from "vitest";
import { exceededLimit, isLong } from "./body-limit.ts";

const limitOf = (target: string, headers: Record<string, string>, isOfUser = false) =>
  exceededLimit({ target, headers }, async () => isOfUser);
const long = (length: number) => ({ "content-length": `${length}` });
const chunked = { "transfer-encoding": "chunked" };

describe("a body may have", () => {
  it.each(["/api/auth", "/api/auth/callback/credentials", "/api/auth/callback/credentials?json=true"])(
    "16 kB at %s, also of a user",
    async (target) => {
      for (const isOfUser of [false, true]) {
        expect(await limitOf(target, long(16_000), isOfUser)).toBeUndefined();
        expect(await limitOf(target, long(16_001), isOfUser)).toBe(16_000);
        expect(await limitOf(target, chunked, isOfUser)).toBe(16_000);
      }
    },
  );

  it.each(["/", "/signin", "/welcome/x", "/api/look-up", "/api/authors", "/api/check/x", "//api/check"])(
    "16 kB at %s of anyone, and a megabyte of a user",
    async (target) => {
      expect(await limitOf(target, long(16_000))).toBeUndefined();
      expect(await limitOf(target, long(16_001))).toBe(16_000);
      expect(await limitOf(target, chunked)).toBe(16_000);
      expect(await limitOf(target, long(1_100_000), true)).toBeUndefined();
      expect(await limitOf(target, long(1_100_001), true)).toBe(1_100_000);
      expect(await limitOf(target, chunked, true)).toBeUndefined();
    },
  );

  it("any length where proxies ask with the headers of their clients", async () => {
    for (const target of ["/api/check?app=shop", "/api/health"]) {
      expect(await limitOf(target, long(5_000_000))).toBeUndefined();
      expect(await limitOf(target, chunked)).toBeUndefined();
    }
  });

  it("no length that is no number, nor one beside chunks", async () => {
    expect(await limitOf("/", { "content-length": "1e9" })).toBe(16_000);
    expect(await limitOf("/", { ...long(5), ...chunked })).toBe(16_000);
    expect(await limitOf("/", {})).toBeUndefined();
  });

  it("and a short one is let pass without asking for a session", async () => {
    const refuse = () => Promise.reject(new Error("was asked"));
    expect(await exceededLimit({ target: "/", headers: long(5) }, refuse)).toBeUndefined();
    expect([5, 16_000, 16_001].map((length) => isLong({ headers: long(length) }))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
