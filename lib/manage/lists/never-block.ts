import { at } from "../../at.ts";
import { writeNote } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { ListContext } from "./change-entries.ts";

/** A wider one would make the blocklist worthless; these still take 10.0.0.0/8 and fc00::/7. */
const widest = { 4: 8, 6: 7 } as const;

interface RangeInput {
  readonly range: Ip | Cidr;
  readonly reason: string;
}

/** Protects a range: no list entry may block it. */
export async function protectRange(ctx: ListContext, { range, reason }: RangeInput) {
  const block = blockOf(range);
  checkReason(reason);
  if (block.length < widest[block.family]) {
    const message = `${range} is wider than /${widest[block.family]}: hardly any address could be blocked.`;
    throw new DomainError("bad-input", message, { range: message });
  }
  const { decision, change } = await commit(ctx, {
    ...intentOn(range, "never-block.add", reason),
    decide({ now, slots }) {
      if (at(slots, 0).kind === "string") return { writes: [] };
      const { name, via } = ctx.actor;
      const value = writeNote({ reason, by: name, at: new Date(now).toISOString(), via });
      return { writes: [{ slot: 0, to: { value, expiresAt: null } }] };
    },
  });
  return { change, outcome: decision.writes.length > 0 ? ("added" as const) : ("kept" as const) };
}

/** Ends the protection of a range. */
export async function unprotectRange(
  ctx: ListContext,
  { range, reason }: RangeInput,
): Promise<{ change: number | null }> {
  const { change } = await commit(ctx, {
    ...intentOn(range, "never-block.remove", reason),
    decide({ slots }) {
      if (at(slots, 0).kind !== "string") {
        throw new DomainError("not-found", `${range} is not a protected range in Redis.`);
      }
      return { writes: [{ slot: 0, to: null }] };
    },
  });
  return { change };
}

function intentOn(range: Ip | Cidr, action: string, reason: string) {
  return { action, reason, slots: [{ key: keys.neverBlock(), field: range, target: range }] };
}
