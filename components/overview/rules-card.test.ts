import { expect, it } from "vitest";
import { ruleLook } from "./rules-card.tsx";

it.each([
  ["enforce", "enforce", "In force"],
  ["enforce", "shadow", "Shadow"],
  ["shadow", "enforce", "Shadow"],
  ["shadow", "off", "Off"],
  ["off", "enforce", "Off"],
] as const)("a rule in %s under a policy in %s: %s", (mode, policy, word) => {
  expect(ruleLook({ mode, onStoreError: "open" }, { mode: policy, isDegraded: false }).word).toBe(word);
});

it("shows what an enforced rule does without its counters", () => {
  const look = (onStoreError: "open" | "closed" | "model", mode: "enforce" | "shadow" = "enforce") =>
    ruleLook({ mode, onStoreError }, { mode: "enforce", isDegraded: true }).word;
  expect([look("open"), look("closed"), look("model")]).toEqual([
    "Passes all",
    "Denies all",
    "Counts per node",
  ]);
  expect(look("closed", "shadow")).toBe("Shadow");
});
