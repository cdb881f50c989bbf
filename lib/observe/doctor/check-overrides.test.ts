import { expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { overrides } from "./check-overrides.ts";
import { TestPatient } from "./vitest.patient.ts";

const patient = new TestPatient();

const write = (name: string, tier: string) => {
  const written = {
    expiresAt: null,
    reason: "",
    by: "ada@example.org",
    via: "console",
    at: "2026-01-01T00:00:00Z",
  };
  return patient.client.hset(keys.sharedOverrides(), name, JSON.stringify({ tier, ...written }));
};
const look = () => patient.examine(overrides);

it("says that all are enforced, or that there are none", async () => {
  await patient.reportNode("older");
  expect(await look()).toMatchObject([{ status: "ok", says: expect.stringMatching(/^No group/) }]);
  await patient.client.flushall();
  await patient.reportNode("fine", { overridesFormat: 1 });
  await write("premium_*", "pro");
  expect(await look()).toMatchObject([
    { status: "ok", says: "1 override of groups and patterns, all enforced." },
  ]);
});

it("names nodes that ignore them, a tier that the policy does not know, and hidden uses", async () => {
  await patient.reportNode("older");
  await patient.reportNode("refused", { overridesFormat: 0 });
  await write("premium_*", "gold");
  expect(await look()).toMatchObject([
    { status: "problem", says: expect.stringMatching(/^1 node of an earlier version/), details: ["older"] },
    { status: "problem", details: ["premium_*: gold"] },
    { status: "note", cure: expect.stringContaining("sluice:overrides:used") },
  ]);
});
