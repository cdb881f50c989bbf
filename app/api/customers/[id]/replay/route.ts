import type { Replay } from "../../../../../lib/customers/replay.ts";
import { type ReplayedWish, replayWish } from "../../../../../lib/customers/replay-levels.ts";
import type { CustomerReplay, HourReplayed, Replayed } from "../../../../../lib/queries/customer-day.ts";
import type { ToldMinute } from "../../../../../lib/stats/client-minutes.ts";
import { read } from "../../../../_server/read.ts";
import { dayOf } from "../../minutes.ts";
import { customerIn } from "../customer-id.ts";
import { asked, wishIn } from "../wish.ts";

export const GET = read<typeof asked, { id: string }>("read", asked, async ({ console, params, search }) => {
  const id = customerIn(params);
  const { nowMs, minutes } = await dayOf(id);
  const found = await replayWish(console.redis, id, wishIn(search), minutes);
  return {
    asOf: nowMs,
    mode: found.mode,
    before: told(found.before),
    after: told(found.after),
    hours: hoursOf(minutes, found),
    knownMinutes: minutes.filter(({ isKnown }) => isKnown).length,
    fitting: [...found.fitting],
    leftOut: [...found.leftOut],
    narrower: [...found.narrower],
  } satisfies CustomerReplay;
});

function told({ requests, denied, windows, shadowed, levels }: Replay): Replayed {
  return {
    ...{ requests, denied, windows, shadowed },
    levels: levels.map(({ step: { rule, limit, periodSeconds, isShadowed }, peak, denied, windows }) => ({
      ...{ rule, limit, periodSeconds, isShadowed, peak, denied, windows },
    })),
  };
}

/** Hours of the clock, the first and the last in part. */
function hoursOf(minutes: readonly ToldMinute[], { mode, before, after }: ReplayedWish): HourReplayed[] {
  const overIn = ({ deniedOf, shadowedOf }: Replay, minute: number) =>
    (deniedOf[minute] ?? 0) + (mode === "enforce" ? 0 : (shadowedOf[minute] ?? 0));
  const hours = new Map<number, HourReplayed>();
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
