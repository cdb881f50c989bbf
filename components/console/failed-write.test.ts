import { expect, it } from "vitest";
import { failureOf } from "@/lib/console/failure.ts";
import { failedTitle, isOutage, noAnswer } from "./failed-write.ts";

const lost = new Error("Connection is closed.");

it("claims that nothing was changed only if that is known", () => {
  expect(failedTitle(failureOf(lost, "before"))).toBe("Nothing was changed");
  expect(failedTitle(failureOf(new Error("OOM command not allowed")), 0, "Nothing was written")).toBe(
    "Nothing was written",
  );
  for (const unsure of [failureOf(lost), noAnswer]) {
    expect(failedTitle(unsure, 0, "Nothing was written")).toBe("Outcome unknown");
    expect(unsure.message).toContain("It is unknown whether the change was");
  }
  expect(failedTitle(failureOf(lost), 1_200)).toBe("Stopped after 1,200");
});

it("tells which failures end with an outage", () => {
  expect([noAnswer, failureOf(lost), failureOf(lost, "before")].map(isOutage)).toEqual([true, true, true]);
  expect(isOutage({ ...noAnswer })).toBe(false);
});
