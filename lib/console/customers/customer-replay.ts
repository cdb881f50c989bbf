import { type DraftReplay, type Replay, replayDraft } from "../../observe/customers/replay.ts";
import type { KnownMinute } from "../../observe/stats/client-counts.ts";
import type { CustomerReplay, ReplayHour, ReplaySums } from "../../queries/customer-day.ts";
import { read } from "../read.ts";
import { dayOf } from "./customer-day.ts";
import { asked, customerIn, wishIn } from "./customer-reads.ts";

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
