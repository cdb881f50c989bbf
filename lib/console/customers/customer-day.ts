import { z } from "zod";
import { type DraftReplay, type Replay, replayDraft } from "../../observe/customers/replay.ts";
import { type KnownMinute, readLastMinutes } from "../../observe/stats/client-counts.ts";
import { readFeed, trafficOf } from "../../observe/stats/feed.ts";
import {
  type CustomerDay,
  type CustomerReplay,
  minutesShown,
  type ReplayHour,
  type ReplaySums,
} from "../../queries/customer-day.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";
import { asked, customerIn, wishIn } from "./customer-reads.ts";

const freshMs = 900;

/** A customer's last 24 hours, however many look on. */
function dayOf(customer: string): Promise<{ nowMs: number; minutes: readonly KnownMinute[] }> {
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

/** Where it is not known what happened: from which place on, and for how many. */
export function runsOfUnknown(
  minutes: readonly { readonly isKnown: boolean }[],
): [from: number, count: number][] {
  const runs: [number, number][] = [];
  for (const [i, { isKnown }] of minutes.entries()) {
    if (isKnown) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === i) last[1]++;
    else runs.push([i, 1]);
  }
  return runs;
}

export const getCustomerReplay = read<typeof asked, { id: string }>(
  "read",
  asked,
  async ({ console, params, search }) => {
    const id = customerIn(params);
    const { nowMs, minutes } = await dayOf(id);
    const found = await replayDraft(console.redis, id, wishIn(search), minutes);
    return {
      asOf: nowMs,
      mode: found.mode,
      before: sumsOf(found.before),
      after: sumsOf(found.after),
      hours: hoursOf(minutes, found),
      knownMinutes: minutes.filter(({ isKnown }) => isKnown).length,
      fitting: [...found.fitting],
      leftOut: [...found.leftOut],
      narrower: [...found.narrower],
    } satisfies CustomerReplay;
  },
);

function sumsOf({ requests, denied, windows, shadowed, levels }: Replay): ReplaySums {
  return {
    ...{ requests, denied, windows, shadowed },
    levels: levels.map(({ step: { rule, limit, periodSeconds, isShadowed }, peak, denied, windows }) => ({
      ...{ rule, limit, periodSeconds, isShadowed, peak, denied, windows },
    })),
  };
}

/** Hours of the clock, the first and the last in part. */
function hoursOf(minutes: readonly KnownMinute[], { mode, before, after }: DraftReplay): ReplayHour[] {
  const overIn = ({ deniedOf, shadowedOf }: Replay, minute: number) =>
    (deniedOf[minute] ?? 0) + (mode === "enforce" ? 0 : (shadowedOf[minute] ?? 0));
  const hours = new Map<number, ReplayHour>();
  for (const [i, { minute, requests }] of minutes.entries()) {
    const at = Math.floor(minute / 60) * 3_600_000;
    const hour = hours.get(at) ?? { at, requests: 0, before: 0, after: 0 };
    hours.set(at, hour);
    hour.requests += requests;
    hour.before += overIn(before, i);
    hour.after += overIn(after, i);
  }
  return [...hours.values()];
}
