import { type Check, type Finding, note, ok } from "./finding.ts";

const tolerableMs = 2_000;

export const clock: Check = {
  name: "clock",
  async look({ redis }) {
    const asked = Date.now();
    const [seconds = 0, micros = 0] = await redis.time();
    const here = (asked + Date.now()) / 2;
    return [judgeLead(Number(seconds) * 1_000 + Number(micros) / 1_000 - here)];
  },
};

export function judgeLead(leadMs: number): Omit<Finding, "check"> {
  if (Math.abs(leadMs) <= tolerableMs) return ok("Redis' clock and this machine's agree.");
  const skew = `${Math.abs(leadMs / 1_000).toFixed(1)} s ${leadMs > 0 ? "ahead of" : "behind"} this machine's`;
  return note(`Redis' clock is ${skew}.`, {
    cure: "Entries end by Redis' clock: let both machines follow NTP.",
  });
}
