import { expect, it } from "vitest";
import { sayRules, sayWhatHolds } from "./outage-banner.tsx";

type Rules = NonNullable<Parameters<typeof sayRules>[0]>["rules"];
const rule = (
  onStoreError: Rules[number]["onStoreError"],
  mode: Rules[number]["mode"] = "enforce",
): Rules[number] => ({ name: "r", limits: "300 per 5 min", mode, onStoreError });

it("states what each kind of rule does without counters", () => {
  const rules = [rule("open"), rule("open"), rule("closed"), rule("model")];
  expect(sayRules({ mode: "enforce", rules })).toBe(
    "Without counters, 2 rules are not enforced, 1 rule denies every request and 1 rule counts on each node separately.",
  );
  expect(sayRules({ mode: "enforce", rules: [rule("model")] })).toBe(
    "Without counters, 1 rule counts on each node separately.",
  );
});

it("leaves out rules that were not enforced anyway", () => {
  expect(sayRules({ mode: "enforce", rules: [rule("open", "shadow"), rule("closed", "off")] })).toBe(
    "No rule was enforced.",
  );
  expect(sayRules({ mode: "shadow", rules: [rule("closed")] })).toBe("No rule was enforced.");
});

it("claims that lists are enforced only if they were before", () => {
  expect(sayWhatHolds(undefined)).toBe("each node enforces both lists from its own copy");
  const counts = { blocklist: 1_204, safelist: 318 };
  expect(sayWhatHolds({ mode: "shadow", counts })).toMatch(/1,204 blocked and 318 safelisted$/);
  expect(sayWhatHolds({ mode: "off", counts })).not.toMatch(/both lists/);
});
