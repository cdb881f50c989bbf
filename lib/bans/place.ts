import { coverings, format } from "../ip/block.ts";
import { blockOf } from "../ip/parse.ts";
import { refusal } from "../lists/lockout.ts";
import { type ProtectedRange, protector } from "../lists/protected.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";
import { type Ban, entryValue } from "./pending.ts";
import type { Denials } from "./tally.ts";

export interface Placing {
  readonly control: Connection;
  readonly app: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** For so long after a ban the same address is not banned again: whoever still asks has not heard of it. */
  readonly graceMs: number;
}

type Outcome = "banned" | "standing" | "safelisted" | "full";

/** Bans that nobody seals take memory. At this many no more are made, because none goes unrecorded. */
export const mostPending = 100_000;
const mostAtOnce = 128;

interface Wish {
  readonly ban: Ban;
  readonly terms: Denials["ban"];
  readonly graceMs: number;
}

const script = defineScript({
  lua: lua.ban,
  keys: ({ ban: { address } }: Wish) => [
    keys.entry("blocklist", address),
    keys.banHistory(address),
    keys.pendingBans(),
    keys.change(),
    keys.changeProgressPrefix(),
    ...coverings(blockOf(address)).map((cover) => keys.entry("safelist", cover)),
  ],
  args: ({ ban, terms, graceMs }) => [
    ...[entryValue(ban), JSON.stringify(ban), ban.rule],
    ...[terms.forSeconds * 1_000, terms.capSeconds * 1_000, graceMs, mostPending],
  ],
  reply: (outcome: Outcome) => outcome,
});

/** Bans who has earned it, unless that would lock the house. Returns whose denials are spent. */
export async function placeBans(
  { control, app, protectedRanges, graceMs }: Placing,
  reached: readonly Denials[],
): Promise<{ spent: Denials[]; isFull: boolean; failure: unknown }> {
  const protect = protector(protectedRanges);
  const wanted = reached.filter(
    ({ target }) => !refusal("blocklist", format(target), { protector: protect, isConfirmed: false }),
  );
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

async function now(control: Connection): Promise<string> {
  const [seconds = 0, micros = 0] = await control.time();
  return new Date(Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)).toISOString();
}

function banFor({ rule, ban, target, times }: Denials, app: string, at: string): Ban {
  const where = app.replace(/\p{Cc}/gu, " ").slice(0, 100);
  const reason = `${times} denials of ${rule} within ${ban.withinSeconds} s at app ${where}`;
  return { address: format(target), rule, reason, at };
}
