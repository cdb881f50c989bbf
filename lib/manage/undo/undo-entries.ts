import { valueAt } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Holding } from "../../redis/snapshot.ts";
import { commit } from "../audit/commit.ts";
import type { AuditRecord, RecordedChange } from "../audit/record.ts";
import { type RefusedEntry, refuse } from "../lists/admission.ts";
import {
  type EntryChange,
  type EntryCircumstances,
  type EntryDecision,
  intentOf,
  type ListContext,
} from "../lists/change-entries.ts";
import { isLater } from "../lists/life.ts";
import { exposure } from "../lists/remove.ts";
import { settleBans } from "../lists/seal-ban.ts";
import { inTheWay, nothingLeft } from "./changed-since.ts";
import { putBackDecision } from "./put-back.ts";
import { whyLost } from "./undoable.ts";

export interface UndoOutcome {
  readonly address: Ip | Cidr;
  readonly is: "in the way" | "as before" | "undone" | "refused";
  readonly message?: string;
}

/** Puts the entries of a list back to their state before the record: all of them, or none. */
export async function undoEntries(
  ctx: ListContext,
  record: AuditRecord,
  { list, reason }: { readonly list: ListName; readonly reason: string },
): Promise<{ change: number | null }> {
  const wanted = undoOf(ctx, record, { list, reason });
  if (list === "blocklist") await settleBans(ctx, wanted.addresses);
  const intent = intentOf(ctx, wanted);
  const { change, decision } = await commit(ctx, {
    ...intent,
    decide(seen) {
      const decided = intent.decide(seen);
      return decided.outcomes.some(({ is }) => is === "in the way") ? { ...decided, writes: [] } : decided;
    },
  });
  if (change !== null) return { change };
  const { outcomes } = decision;
  const stuck = outcomes.filter(({ is }) => is === "in the way").map(({ address }) => address);
  if (stuck.length > 0) throw await inTheWay(ctx.redis, record, stuck);
  throw await nothingLeft(
    ctx.redis,
    record,
    outcomes.map(({ address }) => address),
  );
}

interface UndoTerms {
  readonly list: ListName;
  readonly reason: string;
  /** Skips entries that may not return, instead of refusing all of them. */
  readonly isLenient?: boolean;
}

export function undoOf(
  ctx: ListContext,
  record: AuditRecord,
  { list, reason, isLenient = false }: UndoTerms,
): EntryChange<UndoOutcome> {
  const changes = byAddress(record);
  const addresses = [...changes.keys()];
  const own = list === "safelist" ? ctx.actor.address : undefined;
  return {
    ...{ verb: "undo", list, addresses, reason },
    looksAt: own ? ["safelist", "blocklist"] : ["safelist"],
    others: own ? [own] : [],
    decide(address, found, circumstances): EntryDecision<UndoOutcome> {
      const change = valueAt(changes, address);
      const decision = putBackDecision(change, found, circumstances.now);
      if (decision.is !== "to do") return { outcome: { address, is: decision.is } };
      const problem = decision.to
        ? returnProblem(address, found, circumstances, decision.to.expiresAt)
        : own && exposureProblem(own, address, changes, circumstances);
      const lost = isLenient && whyLost(change);
      if (lost) return { outcome: { address, is: "refused", message: lost } };
      if (!problem) return { outcome: { address, is: "undone" }, to: decision.to };
      const { code, message } = problem;
      if (!isLenient) throw new DomainError(code, `Nothing was undone. ${message}`);
      return { outcome: { address, is: "refused", message } };
    },
  };
}

function byAddress({ n, changes }: AuditRecord): ReadonlyMap<Ip | Cidr, RecordedChange> {
  return new Map(
    changes.map((change) => {
      if (isCanonical(change.target)) return [change.target, change];
      throw new DomainError("bad-input", `Record ${n} names ${change.target}, which is not an address.`);
    }),
  );
}

type ReturnProblem = Pick<RefusedEntry, "code" | "message">;

/** An entry that comes back, or lasts longer again, follows the same rules as a new one. Its width was confirmed once. */
function returnProblem(
  address: Ip | Cidr,
  found: Holding,
  circumstances: EntryCircumstances,
  expiresAt: number | null,
): ReturnProblem | undefined {
  if (found.kind !== "none" && !isLater(expiresAt, found.expiresAt)) return undefined;
  return refuse(address, found, circumstances, true);
}

function exposureProblem(
  own: Ip,
  address: Ip | Cidr,
  changes: ReadonlyMap<Ip | Cidr, RecordedChange>,
  circumstances: EntryCircumstances,
): ReturnProblem | undefined {
  const gone = [...changes].filter(
    ([, { before }]) => before === null || hasEnded(before.expiresAt, circumstances.now),
  );
  const message = exposure(
    own,
    address,
    gone.map(([at]) => at),
    circumstances.covers,
  );
  return message ? { code: "lockout", message } : undefined;
}

function hasEnded(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
