import { expect, it } from "vitest";
import { lua } from "../../redis/lua.generated.ts";
import { inOneWindow } from "../../redis/testing.ts";
import { calendarOf, second } from "../algorithms/model.ts";
import { testCounters } from "./vitest.counters.ts";
import { stepOf } from "./vitest.differential.ts";
import { WirePlan } from "./wire-plan.ts";

const counters = testCounters();

it("refuses windows of the calendar where Redis' clock is outside of them, and nothing is charged", async () => {
  const calendar = calendarOf({ period: "day", timeZone: "Europe/Berlin" });
  const step = stepOf("fixed", "quota", { periodSeconds: 86_400, calendar });
  const plan = new WirePlan({ steps: [step] }, false);
  const weigh = async (micros: number) => {
    plan.turnTo(micros);
    const [key = ""] = plan.keysOf({ plan: { steps: [step] }, clients: ["acme"], costs: [1] });
    const reply = await counters.client.callBuffer("EVAL", lua.weigh, 1, key, plan.text);
    return Buffer.isBuffer(reply) ? reply.length / 8 : Number.NaN;
  };
  await inOneWindow(counters.client, 60);
  const now = Number((await counters.client.time())[0]) * second;
  const day = 86_400 * second;
  expect([await weigh(now - day), await weigh(now + day), await weigh(now)]).toEqual([1, 1, 2]);
  expect(await counters.client.keys("*")).toHaveLength(1);
});
