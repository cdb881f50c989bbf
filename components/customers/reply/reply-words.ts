import { forHowLong } from "@/components/console/time-words.ts";
import { counted, countText, decimalText, minuteText, momentText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import type { CustomerDay } from "@/lib/queries/customer-day.ts";
import type { CustomerAddress, CustomerAddresses } from "@/lib/queries/owners.ts";
import { verdictOf } from "../verdict/verdict.ts";

interface Now extends Pick<CustomerNow, "now" | "mode" | "override" | "suspension"> {
  readonly usage: readonly LevelUsage[] | null;
}
interface Day extends Pick<CustomerDay, "firstMinute" | "requests" | "unknown"> {
  readonly denials: readonly Pick<CustomerDay["denials"][number], "ip" | "at" | "outcome">[];
}

type Addresses = Pick<CustomerAddresses, "total"> & {
  readonly addresses: readonly Pick<CustomerAddress, "address" | "entry" | "rule">[];
};

/**
 * What to answer a customer that asks about its limits: facts alone, without staff, reasons and names of rules. It does not
 * claim that requests pass: other things than limits can deny them. Undefined while the facts are not known.
 *
 * @param known its addresses; undefined while they are unknown
 */
export function replyTo(now: Now, day: Day | undefined, known?: Addresses): string | undefined {
  if (now.mode !== "enforce") return undefined;
  if (now.suspension) return saySuspended(now, now.suspension);
  if (now.usage === null) return undefined;
  const enforced = now.usage.filter(({ isShadowed }) => !isShadowed);
  // Of several limits that deny, the one that does so the longest.
  const [denying] = enforced.filter(({ isOver }) => isOver).toSorted((a, b) => b.resetMs - a.resetMs);
  const { by } = verdictOf(enforced, now.mode);
  const limits = denying ? sayDenied(now, denying, day, known) : by && sayLeft(now, by);
  return [...sayBlocked(now, day, known), limits].filter(Boolean).join(" ") || undefined;
}

function saySuspended({ now }: Now, { expiresAt }: NonNullable<Now["suspension"]>): string {
  const until = expiresAt === null ? "" : ` until ${atText(expiresAt, now)} UTC`;
  return `Your account is suspended${until}: its requests are answered with 403.`;
}

const hourMs = 3_600_000;
const mostAddresses = 3;

/** Addresses of the customer that get 403, or got it: more requests or a larger plan do not change that. */
function sayBlocked({ now }: Now, day: Day | undefined, known: Addresses | undefined): string[] {
  const blocked = known?.addresses.filter(({ entry }) => entry) ?? [];
  const earlier = (day?.denials ?? []).filter(
    ({ ip, outcome, at }) =>
      outcome === "blocked" && at > now - hourMs && !blocked.some(({ address }) => address === ip),
  );
  const latest = new Map<string, number>();
  for (const { ip, at } of earlier) latest.set(ip, Math.max(at, latest.get(ip) ?? 0));
  return [
    ...blocked.map(({ address, entry }) => {
      const until = entry?.expiresAt == null ? "" : ` until ${atText(entry.expiresAt, now)} UTC`;
      return `Requests from ${address} are answered with 403${until}.`;
    }),
    ...[...latest].map(
      ([ip, at]) =>
        `Requests from ${ip} were answered with 403, the latest known one at ${minuteText(at)} UTC.`,
    ),
  ].slice(0, mostAddresses);
}

/** When the limit lets the next request pass, as far as its addresses allow that. Undefined where all of them are blocked. */
function sayNext({ now }: Now, { resetMs }: LevelUsage, known: Addresses | undefined): string | undefined {
  if (!known) return `This limit allows the next request at ${atText(now + resetMs, now)} UTC.`;
  const free = known.addresses.filter(({ entry }) => !entry);
  const isAllKnown = known.addresses.length >= known.total;
  if (known.total > 0 && isAllKnown && free.length === 0) return undefined;
  const isElsewhere = isAllKnown && free.length > 0;
  const soonest = isElsewhere ? Math.min(...free.map(({ rule }) => (rule?.resetSeconds ?? 0) * 1_000)) : 0;
  const at = atText(now + Math.max(resetMs, soonest), now);
  return free.length < known.addresses.length
    ? `From other addresses, the next request is possible at ${at} UTC.`
    : `The next request is possible at ${at} UTC.`;
}

/** "You made 166 requests since 20:00 UTC; your plan allows 100 per hour. The next request is possible at 21:00 UTC." */
function sayDenied(now: Now, level: LevelUsage, day: Day | undefined, known: Addresses | undefined): string {
  return [sayUsed(now, level, day), sayNext(now, level, known)].filter(Boolean).join(" ");
}

function sayUsed(now: Now, level: LevelUsage, day: Day | undefined): string {
  const allowed = `${limiter(now, level)} ${amountOf(level)}`;
  if (isRate(level.algorithm))
    return `You made ${decimalText(level.used)} requests per second on average; ${allowed}.`;
  const made = day && requestsIn(windowOf(now, level), day);
  // Fewer than the limit: reports of some requests are still to come.
  if (made === undefined || made < level.limit)
    return `You made all requests that are allowed for now; ${allowed}.`;
  const since = atText(windowOf(now, level).from, now.now);
  return `You made ${counted(made, "request")} since ${since} UTC; ${allowed}.`;
}

function sayLeft(now: Now, level: LevelUsage): string {
  const used = isRate(level.algorithm)
    ? `${decimalText(level.used)} requests per second on average`
    : counted(Math.round(level.used), "request");
  return `${capital(limiter(now, level))} ${amountOf(level)}. You have used ${used} of that.`;
}

/** Levels of its own come from its plan, unless it has an override. */
function limiter({ override }: Now, { isOwn }: LevelUsage): string {
  if (!isOwn) return "the limit for everyone is";
  return override ? "your limit is" : "your plan allows";
}

function amountOf({ algorithm, limit, periodSeconds, calendar }: LevelUsage): string {
  if (isRate(algorithm)) return `${decimalText(limit)} per second on average`;
  if (calendar !== undefined) return `${countText(limit)} per ${calendar}`;
  return `${countText(limit)} per ${forHowLong(periodSeconds * 1_000).replace(/^for (1 )?/, "")}`;
}

interface Window {
  readonly from: number;
  readonly until: number;
}

/** The window that is counted now. Fixed windows begin with the clock; others reach back from now. */
function windowOf({ now }: Now, { algorithm, periodSeconds, calendar }: LevelUsage): Window {
  const ms = periodSeconds * 1_000;
  // The minutes that are kept do not cover a month, and where a day began is not known here.
  if (calendar !== undefined) return { from: Number.NEGATIVE_INFINITY, until: now };
  return { from: algorithm === "fixed" ? Math.floor(now / ms) * ms : now - ms, until: now };
}

const minuteMs = 60_000;

/** Requests in the window. Undefined where minutes are unknown, or where the window does not begin with one of them. */
function requestsIn({ from, until }: Window, { firstMinute, requests, unknown }: Day): number | undefined {
  const first = Math.ceil(from / minuteMs) - firstMinute;
  const last = Math.floor(until / minuteMs) - firstMinute;
  const isCovered = from % minuteMs === 0 || until - from >= 5 * minuteMs;
  if (!isCovered || first < 0 || last >= requests.length) return undefined;
  if (unknown.some(([begin, count]) => begin <= last && begin + count > first)) return undefined;
  return requests.slice(first, last + 1).reduce((sum, one) => sum + one, 0);
}

/** `21:00`, with the day if it is another one. Rounded up to a minute, so that it is never too early. */
function atText(ms: number, now: number): string {
  const at = Math.ceil(ms / minuteMs) * minuteMs;
  const isToday = Math.floor(at / 86_400_000) === Math.floor(now / 86_400_000);
  return isToday ? minuteText(at) : momentText(at, now);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
