import fc from "fast-check";
import { expect, it } from "vitest";
import { Modelled, startMicros, stepOf, traffic } from "../limits/vitest.differential.ts";

it("is the plain sum of what was admitted within the last period", () => {
  fc.assert(
    fc.property(traffic(60), fc.integer({ min: 0, max: 12 }), (moments, limit) => {
      const modelled = new Modelled(stepOf("rolling-list", "sms", { limit }));
      const admitted: { client: string; at: number; cost: number }[] = [];
      let now = startMicros;
      for (const { advanceMicros, hits } of moments) {
        now += Math.max(0, advanceMicros);
        for (const { client, cost } of hits) {
          const recent = admitted.filter((hit) => hit.client === client && hit.at > now - 60_000_000);
          const used = recent.reduce((sum, hit) => sum + hit.cost, 0);
          const reading = modelled.hit(client, cost, now);
          expect(reading).toMatchObject({ used, isOver: used + Math.max(1, cost) > limit });
          if (reading.isOver && Math.max(1, cost) <= limit)
            expect(modelled.look(client, cost, now + reading.resetMs * 1_000).isOver).toBe(false);
          if (!reading.isOver && cost > 0) admitted.push({ client, at: now, cost });
        }
      }
    }),
    { numRuns: 1_000 },
  );
});
