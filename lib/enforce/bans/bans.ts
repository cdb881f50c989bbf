import { DomainError } from "../../errors.ts";
import { type Block, coverings, format } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { Connection, CountersConnection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { defineScript } from "../../redis/script.ts";
import { refusal } from "../lists/lockout.ts";
import { type Ban, entryValue } from "../lists/pending-ban.ts";
import { type ProtectedRange, protector } from "../lists/protected.ts";
import type { Rule } from "../policy/schema.ts";
import { countDenials, type Denials, DenialTally, forgetDenials } from "./denials.ts";

export interface BansOptions {
  readonly control: Connection;
  readonly counters: CountersConnection;
  /** What may never be blocked, as this process knows it now. */
  readonly protectedRanges: () => readonly ProtectedRange[];
  readonly app: string;
  readonly log: (line: string) => void;
  /** For so long after a ban no denial of the address counts: other nodes hear of the ban a little later. */
  readonly graceMs?: number;
}

export interface Bans {
  /**
   * This rule denied a request. Costs no round trip. Shadowed rules never ban, and where the whole policy is
   * shadowed or off no request is denied.
   */
  noteDenial(rule: Rule, client: Block, times?: number): void;
  /** Tells the counters, and bans who has earned it. Never throws. One call at a time. */
  send(): Promise<void>;
}

const mostPairs = 20_000;
/** Other nodes hear of a ban within this time. */
const usualGraceMs = 10_000;
/** Denials that could not be sent in this time are dropped: they could count against a client whose ban was lifted. */
const staleAfterMs = 5_000;

/** Counts denials over all nodes, and puts who is denied too often on the blocklist. */
export function createBans(options: BansOptions): Bans {
  const { counters, graceMs = usualGraceMs } = options;
  const tally = new DenialTally(mostPairs);
  const complain = complainer(options.log);
  let beganAt = 0;

  async function tell(): Promise<void> {
    const startedAt = performance.now();
    const denials = tally.take();
    if (denials.length === 0 || startedAt - beganAt > staleAfterMs) return;
    const { reached, failure } = await countDenials(counters, denials);
    const isLate = performance.now() - startedAt > staleAfterMs;
    const trouble = reached.length > 0 && !isLate ? await ban(reached) : undefined;
    complain(trouble ?? troubleOf(failure));
  }

  async function ban(reached: readonly Denials[]): Promise<string | undefined> {
    const placing = { ...options, graceMs, protectedRanges: options.protectedRanges() };
    const { spent, isFull, failure } = await placeBans(placing, reached);
    await forgetDenials(
      counters,
      spent.map(({ target }) => target),
      graceMs,
    );
    return isFull
      ? "too many bans wait for their audit record, which a running console writes"
      : troubleOf(failure);
  }

  return {
    noteDenial(rule, client, times = 1) {
      if (!rule.ban || rule.mode !== "enforce") return;
      if (tally.size === 0) beganAt = performance.now();
      tally.add(rule, rule.ban, client, times);
    },
    send: () => tell().catch((error: unknown) => complain(troubleOf(error))),
  };
}

/** One line when trouble begins, and one when it ends. */
function complainer(log: (line: string) => void): (trouble: string | undefined) => void {
  let isTroubled = false;
  return (trouble) => {
    if ((trouble !== undefined) === isTroubled) return;
    isTroubled = !isTroubled;
    const line = isTroubled ? `sluice: no client can be banned now: ${trouble}.` : "sluice: bans work again.";
    try {
      log(line);
    } catch {
      // A logger that fails must not take the site with it.
    }
  };
}

/** The lists of a process without Redis. */
export interface BanList {
  has(list: ListName, address: Ip | Cidr): boolean;
  setEntry(list: ListName, address: Ip | Cidr, note: string, ttlMs: number): void;
}

export interface MemoryBansOptions extends Pick<BansOptions, "protectedRanges" | "app" | "graceMs"> {
  readonly lists: BanList;
  /** Ms since 1970. */
  readonly clock: () => number;
}

/** What one address was denied and banned. */
interface BanLedger {
  /** By rule. */
  counts: Map<string, { times: number; readonly endsAt: number }>;
  /** Until then no denial counts, and no ban follows. */
  restsUntil: number;
  /** By rule, until `keptUntil`. */
  bans: Map<string, number>;
  keptUntil: number;
}

const dayMs = 86_400_000;

/**
 * Bans at once, in this process alone, as lua/denials.lua, ban.lua and forget-denials.lua do for a fleet. The ban is an entry of the
 * blocklist, as a console makes it.
 */
export function createMemoryBans(options: MemoryBansOptions): Pick<Bans, "noteDenial"> {
  const { lists, clock, app, protectedRanges, graceMs = usualGraceMs } = options;
  const ledgers = new Map<string, BanLedger>();

  function meet(denials: Denials): void {
    const nowMs = clock();
    const address = format(denials.target);
    const ledger = ledgerOf(address);
    const times = count(ledger, denials, nowMs);
    if (times < denials.ban.after || !mayBan(protectedRanges())(denials)) return;
    if (coverings(denials.target).some((cover) => lists.has("safelist", cover))) return;
    const isFree = !lists.has("blocklist", address);
    if (isFree) {
      const ban = banFor({ ...denials, times }, app, new Date(nowMs).toISOString());
      lists.setEntry("blocklist", address, entryValue(ban), lengthen(ledger, denials, nowMs));
    }
    ledger.counts = new Map();
    ledger.restsUntil = nowMs + graceMs;
  }

  /** The oldest is forgotten for want of room. */
  function ledgerOf(address: string): BanLedger {
    const ledger = ledgers.get(address) ?? {
      counts: new Map(),
      restsUntil: 0,
      bans: new Map(),
      keptUntil: 0,
    };
    const [oldest] = ledgers.size >= mostPairs ? ledgers.keys() : [];
    if (oldest !== undefined && !ledgers.has(address)) ledgers.delete(oldest);
    ledgers.set(address, ledger);
    return ledger;
  }

  return {
    noteDenial(rule, client, times = 1) {
      if (!rule.ban || rule.mode !== "enforce") return;
      const tally = new DenialTally(1);
      tally.add(rule, rule.ban, client, times);
      tally.take().forEach(meet);
    },
  };
}

/** How often the rule has denied the address in the window that began with the first of these denials. */
function count({ counts, restsUntil }: BanLedger, { rule, times, ban }: Denials, nowMs: number): number {
  if (restsUntil > nowMs) return 0;
  const known = counts.get(rule);
  const window =
    known && known.endsAt > nowMs ? known : { times: 0, endsAt: nowMs + ban.withinSeconds * 1_000 };
  window.times += times;
  counts.set(rule, window);
  return window.times;
}

/** The length of the next ban by a rule, in ms: twice that of the one before. */
function lengthen(ledger: BanLedger, { rule, ban }: Denials, nowMs: number): number {
  if (ledger.keptUntil <= nowMs) ledger.bans = new Map();
  const earlier = ledger.bans.get(rule) ?? 0;
  const capMs = ban.capSeconds * 1_000;
  const lengthMs = Math.min(capMs, ban.forSeconds * 1_000 * 2 ** earlier);
  ledger.bans.set(rule, earlier + 1);
  ledger.keptUntil = Math.max(ledger.keptUntil, nowMs + lengthMs + Math.max(capMs, dayMs));
  return lengthMs;
}

/** What has to be fixed before bans work again, in words. An outage of Redis is logged elsewhere, once. */
export function troubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isForPeople =
    error instanceof DomainError || /^(NOPERM|WRONGTYPE|OOM|MISCONF|ERR)\b/.test(error.message);
  return isForPeople ? error.message.replace(/(?<!\.)\.+$/, "") : undefined;
}

interface Placing {
  readonly control: Connection;
  readonly app: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** For so long after a ban the same address is not banned again: nodes may not know of the ban yet. */
  readonly graceMs: number;
}

type BanOutcome = "banned" | "standing" | "safelisted" | "full";

/** Bans without an audit record take memory. At this many no more are made, because each needs its record. */
export const mostPending = 100_000;
const mostAtOnce = 128;

interface BanAttempt {
  readonly ban: Ban;
  readonly terms: Denials["ban"];
  readonly graceMs: number;
}

const script = defineScript({
  lua: lua.ban,
  keys: ({ ban: { address } }: BanAttempt) => [
    keys.entry("blocklist", address),
    keys.ban(address),
    keys.banHistory(address),
    keys.pendingBans(),
    ...coverings(blockOf(address)).map((cover) => keys.entry("safelist", cover)),
  ],
  args: ({ ban, terms, graceMs }) => [
    ...[entryValue(ban), JSON.stringify(ban), ban.address, ban.rule],
    ...[terms.forSeconds * 1_000, terms.capSeconds * 1_000, graceMs, mostPending, keys.changes()],
  ],
  reply: (outcome: BanOutcome) => outcome,
});

/** Bans the clients that have reached their rule's measure, unless lockout protection forbids it. Returns whose denials are spent. */
async function placeBans(
  { control, app, protectedRanges, graceMs }: Placing,
  reached: readonly Denials[],
): Promise<{ spent: Denials[]; isFull: boolean; failure: unknown }> {
  const wanted = reached.filter(mayBan(protectedRanges));
  const placed = { spent: [] as Denials[], isFull: false, failure: undefined as unknown };
  if (wanted.length === 0) return placed;
  const at = await now(control);
  for (let from = 0; from < wanted.length; from += mostAtOnce) {
    const some = wanted.slice(from, from + mostAtOnce);
    const outcomes = await Promise.allSettled(
      some.map((denials) =>
        script.run(control, { ban: banFor(denials, app, at), terms: denials.ban, graceMs }),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === "rejected") placed.failure = outcome.reason;
      else if (outcome.value === "full") placed.isFull = true;
      else if (outcome.value !== "safelisted") placed.spent.push(...some.slice(i, i + 1));
    }
  }
  return placed;
}

/** Lockout protection: whether a client that has reached its rule's measure may be banned. */
function mayBan(protectedRanges: readonly ProtectedRange[]): (denials: Denials) => boolean {
  const protect = protector(protectedRanges);
  return ({ target }) => !refusal("blocklist", format(target), { protector: protect, isConfirmed: false });
}

async function now(control: Connection): Promise<string> {
  return new Date(await redisNow(control)).toISOString();
}

function banFor({ rule, ban, target, times }: Denials, app: string, at: string): Ban {
  const where = app.replace(/\p{Cc}/gu, " ").slice(0, 100);
  const reason = `${times} denials of ${rule} within ${ban.withinSeconds} s at app ${where}`;
  return { address: format(target), rule, reason, at };
}
