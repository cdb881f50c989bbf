import { redisNow } from "../../redis/redis-clock.ts";
import { type Check, type Finding, note, ok } from "./finding.ts";

const tolerableMs = 2_000;

export const clock: Check = {
  name: "clock",
  async run({ redis }) {
    const sentAt = Date.now();
    const there = await redisNow(redis);
    return [judgeLead(there - (sentAt + Date.now()) / 2)];
  },
};

export function judgeLead(leadMs: number): Omit<Finding, "check"> {
  if (Math.abs(leadMs) <= tolerableMs) return ok("Redis' clock and this machine's clock agree.");
  const skew = `${Math.abs(leadMs / 1_000).toFixed(1)} s ${leadMs > 0 ? "ahead of" : "behind"} this machine's clock`;
  return note(`Redis' clock is ${skew}.`, {
    cure: "Entries expire by Redis' clock. Synchronize both machines with NTP.",
  });
}
