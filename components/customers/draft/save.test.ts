import { expect, it } from "vitest";
import { noEnd } from "@/components/console/until.ts";
import { draftOf, withoutOwn, withRows } from "./draft.ts";
import { rowsOf } from "./level-rows.ts";
import { problemsIn, sayApplied, sayApply, sayEnd, stepsOf } from "./save.ts";
import { customerAs, withOwn } from "./vitest.customer.ts";

const now = Date.parse("2026-03-21T14:32:00Z");
const kept = Date.parse("2026-03-28T14:32:45Z");
const levels = [{ limit: 1_000, periodSeconds: 3_600 }];
const free = customerAs();
const own = withOwn([{ limit: 5, periodSeconds: 60 }], kept);

it("moves the tier first, then what is the customer's own", () => {
  const draft = { ...withRows(draftOf(free), rowsOf(levels)), tier: "" };
  expect(stepsOf(draft, free, now)).toEqual([
    { verb: "tier", tier: null, untilMs: undefined },
    { verb: "override", levels, ends: { ok: true, inMs: 604_800_000 } },
  ]);
  expect(stepsOf(withoutOwn(draftOf(own)), own, now)).toEqual([{ verb: "clear" }]);
  expect(stepsOf(draftOf(own), own, now)).toEqual([]);
});

const ending = customerAs({ tier: { name: "pro", isKnown: true, expiresAt: kept, back: "free" } });

it("gives a tier an end, changes it, and keeps the tier without one", () => {
  const forAnHour = { ...draftOf(free), tier: "pro", until: { choice: "1h", text: "" } as const };
  expect(stepsOf(forAnHour, free, now)).toEqual([{ verb: "tier", tier: "pro", untilMs: now + 3_600_000 }]);
  expect(sayApply(forAnHour, free, now)).toBe("Move customer 1042 to Pro until 21 Mar, 15:32");
  expect(stepsOf(draftOf(ending), ending, now)).toEqual([]);
  const permanent = { ...draftOf(ending), until: noEnd };
  expect(stepsOf(permanent, ending, now)).toEqual([{ verb: "tier", tier: "pro", untilMs: undefined }]);
  expect(sayApply(permanent, ending, now)).toBe("Keep customer 1042 in Pro permanently");
  const back = { ...draftOf(ending), tier: "free" };
  expect(stepsOf(back, ending, now)).toEqual([{ verb: "tier", tier: "free", untilMs: undefined }]);
  const unfinished = { ...permanent, until: { choice: "date", text: "" } as const };
  expect(problemsIn(unfinished, ending, now).until).toBe("Enter a date and a time");
  expect(stepsOf(unfinished, ending, now)).toEqual([]);
});

it("keeps an end to the millisecond when only levels change", () => {
  const draft = withRows(draftOf(own), rowsOf(levels));
  expect(stepsOf(draft, own, now)).toEqual([{ verb: "override", levels, ends: { ok: true, at: kept } }]);
});

it("says what is missing", () => {
  const draft = draftOf(free);
  expect(problemsIn(draft, free, now)).toEqual({ reason: "Enter a reason. It is shown in the audit log" });
  const reason = "by phone";
  expect(problemsIn({ ...draft, reason }, free, now)).toEqual({});
  expect(problemsIn({ ...draft, reason: "x".repeat(501) }, free, now).reason).toBe(
    "At most 500 characters, this has 501",
  );
  const wrong = withRows({ ...draft, reason, ends: { choice: "date", text: "" } }, [
    { key: "0", count: "1", unit: "h", limit: "" },
  ]);
  expect(problemsIn(wrong, free, now)).toEqual({
    levels: "A level is not valid",
    ends: "Enter a date and a time",
  });
});

it("names the effect, the customer and the duration on the button", () => {
  const custom = withRows(draftOf(free), rowsOf(levels));
  expect(sayApply(custom, free, now)).toBe("Apply to customer 1042 for 1 week");
  const dated = { ...custom, ends: { choice: "date", text: "2026-03-28T14:32" } } as const;
  expect(sayApply(dated, free, now)).toBe("Apply to customer 1042 until 28 Mar, 14:32 UTC");
  expect(sayApply({ ...draftOf(free), tier: "pro" }, free, now)).toBe("Move customer 1042 to Pro");
  expect(sayApply({ ...draftOf(free), tier: "" }, free, now)).toBe("Move customer 1042 out of any tier");
  expect(sayApply(withoutOwn(draftOf(own)), own, now)).toBe("Remove the custom throttle of customer 1042");
  expect(sayEnd(custom, free, now)).toBe("28 Mar, 14:32 UTC, then back to Free");
  expect(sayEnd({ ...custom, tier: "" }, free, now)).toBe(
    "28 Mar, 14:32 UTC, then limits for anonymous clients count it by its id",
  );
  expect(sayApplied({ ...custom, tier: "pro" }, free)).toBe(
    "Customer 1042 is Pro and has its custom throttle",
  );
});
