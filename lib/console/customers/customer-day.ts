import { z } from "zod";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { calendarIn } from "../../enforce/policy/words.ts";
import { type DraftReplay, type Replay, replayDraft } from "../../observe/customers/replay.ts";
import { appsOf, type KnownMinute, readLastMinutes } from "../../observe/stats/client-counts.ts";
import { readEvidence } from "../../observe/stats/evidence.ts";
import { denialsOf, type FeedItem, readEarlierFeed } from "../../observe/stats/feed.ts";
import {
  type CustomerDay,
  type CustomerReplay,
  minutesShown,
  type ReplayHour,
  type ReplaySums,
} from "../../queries/customer-day.ts";
import { habitsOf } from "../clients/client-habits.ts";
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
const mostDenials = 20;

export const getCustomerDay = read<typeof nothing, { id: string }>("read", nothing, ({ params }) => {
  const id = customerIn(params);
  return shared(`customer day ${id}`, freshMs, () => tellCustomerDay(id));
});

export async function tellCustomerDay(id: string): Promise<CustomerDay> {
  const { nowMs, minutes } = await dayOf(id);
  const [seen, { policy }] = await Promise.all([samplesOf(id, nowMs), readPolicy(theConsole().redis)]);
  const { samples, apps, requests, userAgents, outcomes, denyingRules } = habitsOf(
    { seen, clients: [{ seen, minutes }], appsCounted: appsOf(minutes) },
    policy.edge.tools,
  );
  return {
    habits: {
      ...{ apps, requests, userAgents, outcomes, denyingRules },
      samples: samples && { count: samples.count, from: samples.from, until: samples.until },
    },
    asOf: nowMs,
    firstMinute: minutes[0]?.minute ?? 0,
    requests: minutes.map(({ requests }) => requests),
    denied: minutes.map(({ denied }) => denied),
    unknown: runsOfUnknown(minutes),
    denials: denialsOf(seen, { customer: id, most: mostDenials }),
  };
}

/** What nodes kept of the customer in the last 24 hours, the newest first. */
async function samplesOf(id: string, nowMs: number): Promise<FeedItem[]> {
  const { redis } = theConsole();
  const [evidence, earlier] = await Promise.all([
    readEvidence(redis, { kind: "customer", clients: [id], nowMs }),
    readEarlierFeed(redis, ({ customerId }) => customerId === id),
  ]);
  const kept = evidence.flatMap(({ denied, passed }) => [...denied, ...passed]);
  return [...kept, ...earlier].sort((a, b) => b.at - a.at);
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
    levels: levels.map(({ step, peak, denied, windows }) => {
      const { rule, limit, periodSeconds, isShadowed } = step;
      return { rule, limit, periodSeconds, ...calendarIn(step), isShadowed, peak, denied, windows };
    }),
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
