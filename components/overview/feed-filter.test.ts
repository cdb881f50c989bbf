import { expect, it } from "vitest";
import { filterOf, sayReach } from "./feed-filter.ts";

it("takes a text for a path, an address, or a rule", () => {
  expect(filterOf("")).toEqual({});
  expect(filterOf("/login")).toEqual({ path: "/login" });
  expect(filterOf("203.0.113.7")).toEqual({ client: "203.0.113.7" });
  expect(filterOf("2001:db8::1")).toEqual({ client: "2001:db8::1" });
  expect(filterOf("req/ip/1")).toEqual({ rule: "req/ip/1" });
});

it("says how far back samples reach, and nothing without samples", () => {
  expect(sayReach({ asOf: 100_000, since: 60_000 })).toBe("samples of the last 40 s");
  expect(sayReach({ asOf: 100_000, since: 100_000 })).toBe("samples of the last 1 s");
  expect(sayReach({ asOf: 100_000, since: null })).toBeUndefined();
});
