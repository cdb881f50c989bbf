import { expect, it } from "vitest";
import { ReadError } from "@/lib/queries/query.ts";
import { startOf, withTrouble } from "./standing.ts";

it.each([
  [new ReadError(503, "Redis does not answer."), "redis"],
  [new ReadError(0, "The console does not answer."), "console"],
  [new ReadError(500, "That did not work."), "failed"],
  [new ReadError(401, "Sign in again."), "signed-out"],
  [new ReadError(200, "The console was updated."), "updated"],
  [new TypeError("x"), "failed"],
])("%o is a trouble of kind %s", (error, kind) => {
  expect(withTrouble({}, error, 5).trouble).toMatchObject({ kind, since: 5 });
});

it("keeps the start of an outage that lasts, whatever does not answer, and resets it for another kind", () => {
  const away = withTrouble({}, new ReadError(503, "a"), 1_000);
  const still = withTrouble(away, new ReadError(503, "b"), 3_000);
  expect(still.trouble).toEqual({ kind: "redis", message: "Redis does not answer.", since: 1_000 });
  expect(withTrouble(still, new ReadError(0, "c"), 5_000).trouble).toMatchObject({
    kind: "console",
    since: 1_000,
  });
  expect(withTrouble(still, new ReadError(401, "d"), 5_000).trouble?.since).toBe(5_000);
});

it("does not blame the console for a late answer while Redis is away", () => {
  const away = withTrouble({}, new ReadError(503, "a"), 1_000);
  const late = new ReadError(0, "The console does not answer.", { isLate: true });
  expect(withTrouble(away, late, 5_000).trouble).toMatchObject({ kind: "redis", since: 1_000 });
  expect(withTrouble({}, late, 5_000).trouble).toMatchObject({ kind: "console", since: 5_000 });
});

it("begins an outage with the last answer, unless that is old", () => {
  expect(startOf(1_000, 4_600)).toBe(1_000);
  expect(startOf(1_000, 3_600_000)).toBe(3_600_000);
});
