import { z } from "zod";
import type { CustomerDay } from "../../../../../lib/queries/customer-day.ts";
import { seenOf } from "../../../../../lib/stats/customer-seen.ts";
import { readFeed } from "../../../../../lib/stats/feed.ts";
import { theConsole } from "../../../../_server/console.ts";
import { read } from "../../../../_server/read.ts";
import { shared } from "../../../../_server/statistics.ts";
import { dayOf, theMinutes } from "../../minutes.ts";
import { customerIn } from "../customer-id.ts";
import { runsOfUnknown } from "./unknown.ts";

const nothing = z.object({});
const freshMs = 900;
const mostSeen = 5_000;
const mostAddresses = 12;
const mostDenials = 20;
const hour = 60;

export const GET = read<typeof nothing, { id: string }>("read", nothing, ({ params }) => {
  const id = customerIn(params);
  return shared(`customer day ${id}`, freshMs, () => tell(id));
});

async function tell(id: string): Promise<CustomerDay> {
  const [{ nowMs, minutes }, feed] = await Promise.all([dayOf(id), latest()]);
  const { addresses, denials } = seenOf(feed, { customer: id, mostAddresses, mostDenials });
  return {
    asOf: nowMs,
    firstMinute: minutes[0]?.minute ?? 0,
    requests: minutes.map(({ requests }) => requests),
    denied: minutes.map(({ denied }) => denied),
    unknown: runsOfUnknown(minutes),
    addresses: await Promise.all(
      addresses.map(async ({ ip, lastAt, countedAs }) => ({
        ...{ ip, lastAt },
        ...(await lastHour(countedAs, nowMs)),
      })),
    ),
    denials: [...denials],
  };
}

/** What all customers' pages look through. */
const latest = () => shared("latest feed", freshMs, () => readFeed(theConsole().redis, { most: mostSeen }));

async function lastHour(client: string, nowMs: number): Promise<{ requests: number; denied: number }> {
  const sum = { requests: 0, denied: 0 };
  for (const { requests, denied } of await theMinutes().read({ kind: "ip", client, minutes: hour, nowMs })) {
    sum.requests += requests;
    sum.denied += denied;
  }
  return sum;
}
