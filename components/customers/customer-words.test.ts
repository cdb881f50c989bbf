import { expect, it } from "vitest";
import { sayLevel, sayStanding, sayTier, sayUsed } from "./customer-words.ts";
import { customerAs } from "./draft/vitest.customer.ts";

it("says levels shortly", () => {
  expect(
    [60, 300, 3_600, 86_400, 172_800, 90].map((periodSeconds) => sayLevel({ limit: 1_000, periodSeconds })),
  ).toEqual(["1,000 / min", "1,000 / 5 min", "1,000 / h", "1,000 / day", "1,000 / 2 days", "1,000 / 90 s"]);
});

it("names the window that is running", () => {
  const used = { algorithm: "fixed", limit: 100, periodSeconds: 3_600, used: 612 };
  expect(sayUsed(used)).toBe("612 of 100 this hour");
  expect(sayUsed({ ...used, periodSeconds: 300 })).toBe("612 of 100 per 5 min");
  expect(sayUsed({ ...used, algorithm: "gcra" })).toBe("612 of 100 per h");
  expect(sayUsed({ ...used, algorithm: "earrrl", limit: 0.5, used: 0.8251 })).toBe("0.83/s of 0.5/s");
});

it("names tiers as titles", () => {
  expect(["free", "", "big-shop"].map(sayTier)).toEqual(["Free", "No tier", "Big-shop"]);
});

it("names a tier and limits from the app's session", () => {
  const session = { tier: "pro", levels: null, at: 0 };
  expect(sayStanding(customerAs({ tier: null, session, from: "session-tier" }))).toBe(
    "tier Pro, from the app's session",
  );
  expect(sayStanding(customerAs({ session, from: "session-limits" }))).toBe("limits from the app's session");
  expect(sayStanding(customerAs({ session }))).toBe("Free");
});
