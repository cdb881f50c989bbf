import { commit } from "../audit/commit.ts";
import { DomainError } from "../errors.ts";
import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { Context } from "./context.ts";
import { type NeverBlockRange, readRanges } from "./never-block-ranges.ts";
import { reasonProblem, writeNote } from "./note.ts";

/** A wider one would make the blocklist worthless; these still take 10.0.0.0/8 and fc00::/7. */
const widest = { 4: 8, 6: 7 } as const;

interface Input {
  readonly range: Ip | Cidr;
  readonly reason: string;
}

/** Makes a range one that no list entry may block. */
export async function protectRange(ctx: Context, { range, reason }: Input) {
  const block = blockOf(range);
  const problem = reasonProblem(reason);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { reason: problem });
  if (block.length < widest[block.family]) {
    const message = `${range} is wider than /${widest[block.family]}: hardly anything could be blocked.`;
    throw new DomainError("bad-input", message, { range: message });
  }
  const { decision, change } = await commit(ctx, {
    ...intentOn(range, "never-block.add", reason),
    decide({ now, slots }) {
      if (slots[0]?.kind === "string") return { writes: [] };
      const at = new Date(now).toISOString();
      const value = writeNote({ reason, by: ctx.actor.name, at, via: ctx.actor.via });
      return { writes: [{ slot: 0, to: { value, expiresAt: null } }] };
    },
  });
  return { change, outcome: decision.writes.length > 0 ? ("added" as const) : ("kept" as const) };
}

/** Lets a range be blocked again. */
export async function unprotectRange(
  ctx: Context,
  { range, reason }: Input,
): Promise<{ change: number | null }> {
  const { change } = await commit(ctx, {
    ...intentOn(range, "never-block.remove", reason),
    decide({ slots }) {
      if (slots[0]?.kind !== "string") {
        throw new DomainError("not-found", `${range} is no never-block range that Redis holds.`);
      }
      return { writes: [{ slot: 0, to: null }] };
    },
  });
  return { change };
}

export async function readNeverBlock(redis: Connection): Promise<NeverBlockRange[]> {
  const isHash = (await redis.type(keys.neverBlock())) === "hash";
  const hash = isHash ? await redis.hgetall(keys.neverBlock()) : {};
  return readRanges(new Map(Object.entries(hash))).ranges;
}

function intentOn(range: Ip | Cidr, action: string, reason: string) {
  return { action, reason, slots: [{ key: keys.neverBlock(), field: range, target: range }] };
}
