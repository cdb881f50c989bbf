import { calendarIn, saySeconds } from "../../enforce/policy/words.ts";
import type { Happening } from "../../manage/alarms/happening.ts";
import type { ClientReading } from "../stats/offenders.ts";

const nearShare = 0.8;

/** Customers that have used 80% of a limit, or all of it: one incident for each customer and rule, by its fullest level. */
export function customerStates(readings: readonly ClientReading[], now: number): Happening[] {
  const worst = new Map<string, ClientReading>();
  for (const one of readings) {
    const { name, step, ratio } = one;
    if (name.kind !== "customer" || step.isShadowed || ratio < nearShare || !Number.isFinite(step.limit))
      continue;
    const place = `${name.client} ${step.rule}`;
    if (ratio > (worst.get(place)?.ratio ?? 0)) worst.set(place, one);
  }
  return [...worst.values()].map((one) => stateOf(one, now));
}

function stateOf({ name, step, reading, ratio }: ClientReading, now: number): Happening {
  const { client } = name;
  const { limit, periodSeconds, rule } = step;
  const period = calendarIn(step).calendar ?? saySeconds(periodSeconds);
  const isFull = ratio >= 1;
  const [used, most] = [Math.floor(reading.used), limit].map((count) => count.toLocaleString("en-US"));
  return {
    ...{ kind: "customer", cause: `customer ${client} ${rule}`, path: `/customers/${client}`, at: now },
    title: `Customer ${client} is at ${isFull ? "100" : "80"}% of ${most} per ${period}`,
    text: `${used} of ${most} per ${period} are used (rule ${rule}).${isFull ? " Further requests are denied." : ""}`,
    grade: isFull ? 2 : 1,
  };
}
