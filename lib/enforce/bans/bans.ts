import type { Block } from "../../ip/block.ts";
import type { Connection, CountersConnection } from "../../redis/connect.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import type { Rule } from "../policy/schema.ts";
import { countDenials, type Denials, DenialTally, forgetDenials } from "./denials.ts";
import { placeBans, troubleOf } from "./place.ts";

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
/** Denials that could not be sent in this time are dropped: they could count against a client whose ban was lifted. */
const staleAfterMs = 5_000;

/** Counts denials over all nodes, and puts who is denied too often on the blocklist. */
export function createBans(options: BansOptions): Bans {
  const { counters, graceMs = 10_000 } = options;
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
