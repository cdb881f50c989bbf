import { countText, decimalText, momentText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { sayPeriod as sayCalendar, saySeconds } from "@/lib/enforce/policy/words.ts";
import type { CustomerChangeRow, CustomerNow } from "@/lib/queries/customer.ts";
import type { Draft } from "./draft/draft.ts";
import { readHash } from "./draft/level-rows.ts";

interface Counted {
  readonly algorithm: string;
  readonly limit: number;
  readonly periodSeconds: number;
  readonly calendar?: string | undefined;
  readonly used: number;
}

/** `100 / h`, `300 / 5 min`. */
export function sayLevel(level: Level): string {
  const period = level.period ? sayCalendar(level) : sayPeriod(level.periodSeconds);
  return `${level.limit === 0 ? "none" : countText(level.limit)} / ${period}`;
}

/** `h`, `5 min`, `day`: what follows "per". */
export function sayPeriod(seconds: number): string {
  return saySeconds(seconds).replace(/^1 /, "");
}

const clockWindows = new Map([
  [60, "this minute"],
  [3_600, "this hour"],
  [86_400, "today (UTC)"],
]);

/** `612 of 100 this hour`; of a rate `0.82/s of 0.5/s`. */
export function sayUsed(usage: Counted): string {
  if (isRate(usage.algorithm)) return `${decimalText(usage.used)}/s of ${decimalText(usage.limit)}/s`;
  return `${countText(Math.round(usage.used))} of ${countText(usage.limit)} ${sayWindow(usage)}`;
}

/** Windows that begin with the clock have names of their own. */
function sayWindow({ algorithm, periodSeconds, calendar }: Counted): string {
  if (calendar !== undefined) return `per ${calendar}`;
  const named = algorithm === "fixed" ? clockWindows.get(periodSeconds) : undefined;
  return named ?? `per ${sayPeriod(periodSeconds)}`;
}

/** A tier's name as a title; how it is spelled in Redis is another thing. */
export function sayTier(name: string): string {
  return name === "" ? "No tier" : name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Enterprise until 21 Nov, 18:00 UTC, then Pro`. Without an end its name alone. */
export function sayTierEnd(
  { name, expiresAt, back }: { name: string; expiresAt: number | null; back?: string | null | undefined },
  now: number,
): string {
  if (expiresAt === null) return sayTier(name);
  return `${sayTier(name)} until ${momentText(expiresAt, now)} UTC, then ${back ? sayTier(back) : "no tier"}`;
}

/** What a record of the audit log did: `tier Pro → Free`. Its texts are untrusted. */
export function sayChange({ about, isUndo, before, after }: CustomerChangeRow): string {
  const undo = isUndo ? "undone: " : "";
  if (about === "customer.tier") return `${undo}tier ${tierOf(before)} → ${tierOf(after)}`;
  if (about === "customer.tier-ended") return `tier ${tierOf(before)} ended, now ${tierOf(after)}`;
  if (about === "customer.reset") return `${undo}counters reset`;
  if (about === "customer.suspend" || about === "customer.resume")
    return `${undo}${after ? "suspended" : "resumed"}`;
  if (about.startsWith("customer.override"))
    return `${undo}custom throttle ${levelsOf(before)} → ${levelsOf(after)}`;
  return `${undo}${about}`;
}

function tierOf(standing: CustomerChangeRow["before"]): string {
  return standing ? sayTier(standing.value ?? "something else") : "none";
}

function levelsOf(standing: CustomerChangeRow["before"]): string {
  if (!standing) return "none";
  const { levels } = readHash(standing.value ?? "");
  return levels ? levels.map(sayLevel).join(", ") : "something else";
}

/** `by pattern premium_*`, where such an override is in force unless the customer has one of its own. */
export function sayShared({ shared }: Pick<CustomerNow, "shared">): string | undefined {
  const found = shared.find(({ wins }) => wins);
  return found && `by ${found.from} ${found.name}`;
}

/** By what it is limited now: `Free`, `custom`, `by pattern premium_*`, `Pro, from the app's session`, `default tier, Free`, `no tier`. */
export function sayStanding(now: CustomerNow): string {
  const { from, tier, defaultTier } = now;
  if (from === "override") return "custom";
  if (from === "tier") return sayTier(tier?.name ?? "");
  return (
    sayShared(now) ??
    saySession(now) ??
    (defaultTier === null ? "no tier" : `default tier, ${sayTier(defaultTier)}`)
  );
}

/** `tier Pro, from the app's session` where that is in force. */
export function saySession({ from, session }: CustomerNow): string | undefined {
  if (from === "session-limits") return "limits from the app's session";
  if (from === "session-tier") return `tier ${sayTier(session?.tier ?? "")}, from the app's session`;
  return undefined;
}

/** The same, once the draft is saved. */
export function sayWish({ rows, tier }: Draft, now: Pick<CustomerNow, "shared">): string {
  if (rows) return "custom";
  const shared = sayShared(now);
  if (shared) return shared;
  return tier === "" ? "no tier" : sayTier(tier);
}
