import { minutesShown } from "../../../lib/queries/customer-day.ts";
import { atHome } from "../../../lib/redis/home.ts";
import { ClientMinutes, type ToldMinute } from "../../../lib/stats/client-minutes.ts";
import { theConsole } from "../../_server/console.ts";
import { redisNowMs, shared, theStatistics } from "../../_server/statistics.ts";

const freshMs = 900;

/** One of it in a process, so that what is kept is kept once. */
export const theMinutes = () =>
  atHome("client minutes", () => new ClientMinutes(theConsole().redis, theStatistics().series));

/** A customer's last 24 hours, however many look on. */
export function dayOf(customer: string): Promise<{ nowMs: number; minutes: readonly ToldMinute[] }> {
  return shared(`customer minutes ${customer}`, freshMs, async () => {
    const nowMs = await redisNowMs();
    const wanted = { kind: "customer", client: customer, minutes: minutesShown, nowMs } as const;
    return { nowMs, minutes: await theMinutes().read(wanted) };
  });
}
