import { expect, it } from "vitest";
import { Schedule } from "../../redis/schedule.ts";
import type { CountedRequest } from "../limits/plan.ts";
import { openStore } from "./counters.ts";

const rate: CountedRequest = {
  plan: {
    steps: [
      {
        ...{ rule: "rate/ip", algorithm: "earrrl", limit: 1, periodSeconds: 60 },
        ...{ overageWeight: 1, isShadowed: false },
      },
    ],
  },
  clients: ["203.0.113.9"],
  costs: [1],
};

it("remembers no denials beside counters that are in this process anyway", async () => {
  const store = openStore("memory:", { schedule: new Schedule(), nodes: () => 1 });
  expect(store.denials).toBeUndefined();
  for (let i = 0; i < 500; i++) await store.scales.weigh(rate);
  const reading = await store.scales.read(rate);
  expect(reading).toMatchObject({ outcome: "weighed", deniedBy: 0 });
  expect(reading.outcome === "weighed" && reading.readings[0]?.used).toBeGreaterThan(5);
});
