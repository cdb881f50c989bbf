import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../errors.ts";
import { keys, tracked } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import {
  type Holding,
  type Slot,
  type Snapshot,
  type SnapshotView,
  takeSnapshot,
} from "../../redis/snapshot.ts";
import { addFacts, noFacts, readFacts, writeFacts } from "./parts.ts";
import type { BulkTerms, EarlierChange, OpenBulk, RecordedChange, Signed, StoredValue } from "./record.ts";
import { type AuditLog, mainLog, partLog } from "./seal.ts";
import { refuseForeignSecret, requireOpen } from "./secret.ts";

/** The new content of a slot; null empties it. */
export interface SlotWrite {
  readonly slot: number;
  readonly to: { readonly value: string; readonly expiresAt: number | null } | null;
}

export interface ChangeDecision {
  /** Empty: nothing to do, and nothing is recorded unless `isOnRecord`. */
  readonly writes: readonly SlotWrite[];
  readonly isOnRecord?: boolean;
  /** The recorded change, if it was made earlier and the writes only mark it as recorded. */
  readonly made?: EarlierChange;
  /** For a part of an undo: entries that stay because they were changed since, and the number of the part that was undone. */
  readonly left?: number;
  readonly reached?: number;
}

export interface Intent<D extends ChangeDecision> extends SnapshotView {
  readonly action: string;
  readonly reason: string;
  /** For a record of more entries than one step can change: they follow, each step as a part of it. */
  readonly opens?: BulkTerms;
  /** Closes the record that this is a part of. */
  readonly isClosing?: boolean;
  /** Pure: called again when another writer was faster. */
  decide(seen: Snapshot): D;
}

export interface CommitResult<D> {
  readonly decision: D;
  /** The number that nodes acknowledge; null when no key that nodes hold was written. */
  readonly change: number | null;
  /** The record that the change is in; null when nothing was written. */
  readonly record: OpenBulk | null;
}

interface SealedStep {
  readonly log: AuditLog;
  readonly seen: Snapshot;
  readonly n: number;
  readonly at: string;
  readonly text: string;
  /** The number to give out. */
  readonly change: number | null;
  readonly previous: string;
  readonly mac: string;
  readonly proof: string;
  /** Of a record's parts. */
  readonly facts: string;
  /** The parts that the record opens. */
  readonly opened: { readonly head: string; readonly proof: string; readonly facts: string } | undefined;
  readonly writes: readonly { slot: Slot; was: Holding; to: SlotWrite["to"] }[];
}

const script = defineScript({
  lua: lua.commit,
  keys: ({ log, change, opened, writes }: SealedStep) => [
    log.stream,
    log.head,
    keys.change(),
    keys.changeProgress(change ?? 0),
    keys.changes(),
    keys.auditHead(),
    opened?.head ?? log.head,
    ...writes.map(({ slot }) => slot.key),
  ],
  args: ({ seen, n, text, change, previous, mac, proof, facts, opened, writes }) => [
    ...[seen.head?.mac ?? "", n, text, previous, mac, proof, change ?? "", tracked.join(" ")],
    ...[facts, opened?.proof ?? "", opened?.facts ?? ""],
    ...writes.flatMap(({ slot, was, to }) => [
      ...[slot.field ?? "", was.kind, was.digest, was.expiresAt ?? -1],
      ...[slot.isHash ? "hash" : "string", to?.value ?? "", to ? (to.expiresAt ?? -1) : "gone"],
    ]),
  ],
  reply: (isDone: number) => isDone === 1,
});

/**
 * Makes a change and its audit record in one step, or neither. The key of the seal may not reach Redis. So the record is sealed
 * here from what was read, and written only if all of that still holds. Otherwise everything is read again.
 */
export async function commit<D extends ChangeDecision>(
  ctx: Signed,
  intent: Intent<D>,
  { patienceMs = 5_000 } = {},
): Promise<CommitResult<D>> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; performance.now() < deadline; attempt++) {
    const { snapshot, decision } = await foresee(ctx, intent);
    const { writes, isOnRecord } = decision;
    const isNothing = writes.length === 0 && !isOnRecord;
    if (isNothing || ctx.isDryRun) return { decision, change: null, record: null };
    if (ctx.into && !ctx.into.bulk) {
      await ctx.into.begin();
      continue;
    }
    if (ctx.into?.bulk) requireOpen(ctx.seal, ctx.into.bulk, snapshot);
    else await refuseForeignSecret(ctx, snapshot);
    const sealed = seal(ctx, intent, decision, snapshot);
    if (await script.run(ctx.redis, sealed)) {
      const { n, at, mac, change } = sealed;
      return { decision, change: decision.made?.change ?? change, record: ctx.into?.bulk ?? { n, at, mac } };
    }
    await pause(Math.random() * Math.min(4 * attempt, 50));
  }
  throw new DomainError(
    "changed-since",
    "Another program keeps changing the same data. Nothing was written. Try again.",
  );
}

/** What the change would do now, without doing it. */
export async function foresee<D extends ChangeDecision>(
  { redis, seal, into }: Pick<Signed, "redis" | "seal" | "into">,
  intent: Intent<D>,
) {
  const log = into?.bulk ? partLog(seal, into.bulk) : mainLog(seal);
  const snapshot = await takeSnapshot(redis, intent, log).catch(explainDamage);
  return { snapshot, decision: intent.decide(snapshot) };
}

function seal(
  ctx: Signed,
  intent: Intent<ChangeDecision>,
  decision: ChangeDecision,
  seen: Snapshot,
): SealedStep {
  const writes = decision.writes.map(({ slot: i, to }) => writeOf(intent.slots[i], seen.slots[i], to));
  const isTracked = writes.some(({ slot }) => tracked.some((prefix) => slot.key.startsWith(prefix)));
  const change = isTracked ? seen.change + 1 : null;
  const { made } = decision;
  const step = {
    n: nextNumber(seen),
    at: made?.at ?? new Date(seen.now).toISOString(),
    change: made?.change ?? change,
    changes: made?.changes ?? writes.filter(({ slot }) => !slot.isAside).map(recorded),
  };
  const into = ctx.into?.bulk;
  const log = into ? partLog(ctx.seal, into) : mainLog(ctx.seal);
  const text = JSON.stringify(into ? { of: into.n, ...step } : recordOf(ctx, intent, step));
  const previous = seen.head?.mac ?? log.beginning;
  const mac = log.seal(previous, text);
  const facts = into ? factsAfter(seen, intent, decision, step) : "";
  const { n, at } = step;
  return {
    ...{ log, seen, n, at, text, change, previous, mac, facts, writes },
    proof: log.end(n, mac, facts),
    opened: intent.opens && openingOf(ctx, n, mac),
  };
}

interface RecordedStep {
  readonly n: number;
  readonly at: string;
  readonly change: number | null;
  readonly changes: readonly RecordedChange[];
}

/** The members in their stored order. */
function recordOf(
  ctx: Signed,
  { action, reason, opens }: Intent<ChangeDecision>,
  { n, at, ...done }: RecordedStep,
) {
  const { name, address, via } = ctx.actor;
  const { undoes } = ctx;
  return {
    ...{ n, at, actor: name, ...(address && { address }), via },
    action: undoes ? "undo" : action,
    ...(undoes && { undoes }),
    change: done.change,
    reason,
    changes: done.changes,
    ...(opens && { bulk: opens }),
  };
}

function factsAfter(
  seen: Snapshot,
  { isClosing = false }: Intent<ChangeDecision>,
  decision: ChangeDecision,
  done: RecordedStep,
) {
  const { left = 0, reached } = decision;
  const before = (seen.head && readFacts(seen.head.facts)) ?? noFacts;
  return writeFacts(addFacts(before, { ...done, left, reached, isClosed: isClosing }));
}

function openingOf({ seal }: Signed, n: number, mac: string): SealedStep["opened"] {
  const parts = partLog(seal, { n, mac });
  const facts = writeFacts(noFacts);
  return { head: parts.head, proof: parts.end(0, mac, facts), facts };
}

function writeOf(slot: Slot | undefined, was: Holding | undefined, to: SlotWrite["to"]) {
  if (!slot || !was) throw new RangeError("There is no such slot to write");
  // Redis would refuse it in the middle of the script, after the record is written.
  if (to?.expiresAt && !Number.isSafeInteger(to.expiresAt))
    throw new RangeError(`${slot.key} cannot end at ${to.expiresAt}`);
  if (slot.field !== undefined && !["none", "string"].includes(was.kind)) throw inTheWay(slot.key);
  return { slot, was, to };
}

/** A damaged log is continued, not healed: the gap stays for the verifier to find, and staff can go on working. */
export function nextNumber({ head, lastId }: Snapshot): number {
  const n = Math.max(head && Number.isSafeInteger(head.n) ? head.n : 0, lastId) + 1;
  if (Number.isSafeInteger(n)) return n;
  throw damaged(`its last id is ${lastId}`);
}

function recorded({ slot, was, to }: SealedStep["writes"][number]): RecordedChange {
  const after = to && { ...to, expiresAt: iso(to.expiresAt) };
  return { target: slot.target, before: standing(slot, was), after };
}

function standing({ isHash }: Slot, { kind, value, expiresAt }: Holding): StoredValue | null {
  if (kind === "none") return null;
  if (kind === (isHash ? "hash" : "string")) return { value, expiresAt: iso(expiresAt) };
  return { value: null, expiresAt: iso(expiresAt), type: kind };
}

/** A foreign writer may have set an expiry later than a Date can hold. */
function iso(at: number | null): string | null {
  return at === null ? null : new Date(Math.min(at, 8.64e15)).toISOString();
}

function explainDamage(error: unknown): never {
  if (error instanceof Error && /WRONGTYPE/.test(error.message))
    throw damaged("it is of another type", error);
  throw error;
}

function inTheWay(key: string): DomainError {
  return new DomainError("not-configured", `${key} in Redis is not a hash. Rename it to continue.`);
}

function damaged(how: string, cause?: Error): DomainError {
  const message = `The audit log (${keys.audit()}, ${keys.auditHead()}) cannot be continued: ${how}. Rename it to continue.`;
  return new DomainError("not-configured", message, {}, cause && { cause });
}
