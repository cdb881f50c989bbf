import { z } from "zod";
import { type KnownMinute, readLastMinutes } from "../../observe/stats/client-counts.ts";
import { readFeed, trafficOf } from "../../observe/stats/feed.ts";
import { type CustomerDay, minutesShown } from "../../queries/customer-day.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";
import { customerIn } from "./customer-reads.ts";
import { runsOfUnknown } from "./unknown.ts";

const freshMs = 900;

/** A customer's last 24 hours, however many look on. */
export function dayOf(customer: string): Promise<{ nowMs: number; minutes: readonly KnownMinute[] }> {
  return shared(`customer minutes ${customer}`, freshMs, async () => {
    const nowMs = await redisNowMs();
    const { clients: counts, series } = theStatistics();
    const client = { kind: "customer", client: customer } as const;
    const wanted = { minutes: minutesShown, nowMs };
    return { nowMs, minutes: await readLastMinutes({ counts, series }, client, wanted) };
  });
}

const nothing = z.object({});
const mostSeen = 5_000;
const mostAddresses = 12;
const mostDenials = 20;
const hour = 60;

export const getCustomerDay = read<typeof nothing, { id: string }>("read", nothing, ({ params }) => {
  const id = customerIn(params);
  return shared(`customer day ${id}`, freshMs, () => tell(id));
});

async function tell(id: string): Promise<CustomerDay> {
  const [{ nowMs, minutes }, feed] = await Promise.all([dayOf(id), latest()]);
  const { addresses, denials } = trafficOf(feed, { customer: id, mostAddresses, mostDenials });
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
  const running = Math.floor(nowMs / 60_000);
  const minutes = Array.from({ length: hour }, (_, i) => running - hour + 1 + i);
  for (const { requests, denied } of await theStatistics().clients.of(
    { kind: "ip", client },
    minutes,
    nowMs,
  )) {
    sum.requests += requests;
    sum.denied += denied;
  }
  return sum;
}
