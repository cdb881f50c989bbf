import { commit } from "../audit/commit.ts";
import type { AuditRecord, RecordedChange } from "../audit/record.ts";
import type { Holding } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import { type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import { refuse } from "../lists/add.ts";
import { intentOf, type Plan, type Scene, type Step } from "../lists/change.ts";
import type { Context } from "../lists/context.ts";
import { isLater } from "../lists/life.ts";
import { exposure } from "../lists/remove.ts";
import type { ListName } from "../redis/keys.ts";
import { inTheWay, nothingLeft } from "./since.ts";
import { fateOf } from "./standing.ts";

type Outcome = { readonly address: Ip | Cidr; readonly is: "in the way" | "as before" | "undone" };

/** Puts the entries of a list back to how they stood before the record: all of them, or none. */
export async function undoEntries(
  ctx: Context,
  record: AuditRecord,
  { list, reason }: { readonly list: ListName; readonly reason: string },
): Promise<{ change: number | null }> {
  const intent = intentOf(ctx, planOf(ctx, record, list, reason));
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

function planOf(ctx: Context, record: AuditRecord, list: ListName, reason: string): Plan<Outcome> {
  const changes = byAddress(record);
  const addresses = [...changes.keys()];
  const own = list === "safelist" ? ctx.actor.address : undefined;
  return {
    ...{ verb: "add", list, addresses, reason },
    looksAt: own ? ["safelist", "blocklist"] : ["safelist"],
    others: own ? [own] : [],
    decide(address, found, scene): Step<Outcome> {
      const change = changes.get(address);
      const fate = change && fateOf(change, found, scene.now);
      if (fate?.is !== "to do") return { outcome: { address, is: fate?.is ?? "as before" } };
      if (fate.to) checkReturn(list, address, found, scene, fate.to.expiresAt);
      else if (own) checkExposure(own, address, changes, scene);
      return { outcome: { address, is: "undone" }, to: fate.to };
    },
  };
}

function byAddress({ n, changes }: AuditRecord): ReadonlyMap<Ip | Cidr, RecordedChange> {
  return new Map(
    changes.map((change) => {
      if (isCanonical(change.target)) return [change.target, change];
      throw new DomainError("bad-input", `Record ${n} names ${change.target}, which is no address.`);
    }),
  );
}

/** What comes back, or lasts longer again, obeys the same rules as what is new. Its width was confirmed once. */
function checkReturn(
  list: ListName,
  address: Ip | Cidr,
  found: Holding,
  scene: Scene,
  expiresAt: number | null,
): void {
  if (found.kind !== "none" && !isLater(expiresAt, found.expiresAt)) return;
  const refused = refuse(list, address, found, scene, true);
  if (refused) throw new DomainError(refused.code, `Nothing was undone. ${refused.message}`);
}

function checkExposure(
  own: Ip,
  address: Ip | Cidr,
  changes: ReadonlyMap<Ip | Cidr, RecordedChange>,
  scene: Scene,
): void {
  const gone = [...changes].filter(
    ([, { before }]) => before === null || hasEnded(before.expiresAt, scene.now),
  );
  const message = exposure(
    own,
    address,
    gone.map(([at]) => at),
    scene,
  );
  if (message) throw new DomainError("locks-the-house", `Nothing was undone. ${message}`);
}

function hasEnded(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
