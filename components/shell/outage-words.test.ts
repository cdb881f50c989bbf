import { expect, it } from "vitest";
import { sayRules, sayWhatHolds } from "./outage-words.ts";

type Rules = NonNullable<Parameters<typeof sayRules>[0]>["rules"];
const rule = (
  onStoreError: Rules[number]["onStoreError"],
  mode: Rules[number]["mode"] = "enforce",
): Rules[number] => ({ name: "r", limits: "300 per 5 min", mode, onStoreError });

it("says what each kind of rule does while its counters are away", () => {
  const rules = [rule("open"), rule("open"), rule("closed"), rule("model")];
  expect(sayRules({ mode: "enforce", rules })).toBe(
    "Without its counters 2 rules let everybody pass, 1 rule turns everybody away and 1 rule counts on each node by itself.",
  );
  expect(sayRules({ mode: "enforce", rules: [rule("model")] })).toBe(
    "Without its counters 1 rule counts on each node by itself.",
  );
});

it("leaves out what was not enforced anyway", () => {
  expect(sayRules({ mode: "enforce", rules: [rule("open", "shadow"), rule("closed", "off")] })).toBe(
    "No rule was enforced.",
  );
  expect(sayRules({ mode: "shadow", rules: [rule("closed")] })).toBe("No rule was enforced.");
});

it("promises the lists only where they were in force", () => {
  expect(sayWhatHolds(undefined)).toBe("both lists hold from each node's own copy");
  const counts = { blocklist: 1_204, safelist: 318 };
  expect(sayWhatHolds({ mode: "shadow", counts })).toMatch(/1,204 blocked and 318 safelisted$/);
  expect(sayWhatHolds({ mode: "off", counts })).not.toMatch(/lists hold/);
});
