import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../errors.ts";
import { keys, tracked } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";
import type { AuditRecord, Made, RecordedChange, Signed, Standing } from "./record.ts";
import { beginning } from "./seal.ts";
import { refuseForeignSecret } from "./secret.ts";
import { type Holding, type Slot, type Snapshot, takeSnapshot, type View } from "./snapshot.ts";

/** What a slot shall hold; null empties it. */
export interface Write {
  readonly slot: number;
  readonly to: { readonly value: string; readonly expiresAt: number | null } | null;
}

export interface Decision {
  /** None: there is nothing to do, and nothing is recorded, unless the record is all there is. */
  readonly writes: readonly Write[];
  readonly isOnRecord?: boolean;
  /** What the record is about, if that was done before and the writes only tell that it is on record now. */
  readonly made?: Made;
}

export interface Intent<D extends Decision> extends View {
  readonly action: string;
  readonly reason: string;
  /** Pure, because it is asked again when somebody else was faster. */
  decide(seen: Snapshot): D;
}

export interface Committed<D> {
  readonly decision: D;
  /** The number that nodes acknowledge; null when nothing was written that they hold. */
  readonly change: number | null;
}

interface Sealed {
  readonly seen: Snapshot;
  readonly record: AuditRecord;
  readonly text: string;
  /** The number to give out. */
  readonly change: number | null;
  readonly previous: string;
  readonly mac: string;
  readonly proof: string;
  readonly writes: readonly { slot: Slot; was: Holding; to: Write["to"] }[];
}

const script = defineScript({
  lua: lua.commit,
  keys: ({ change, writes }: Sealed) => [
    keys.audit(),
    keys.auditHead(),
    keys.change(),
    keys.changeProgress(change ?? 0),
    ...writes.map(({ slot }) => slot.key),
  ],
  args: ({ seen, record, text, change, previous, mac, proof, writes }) => [
    ...[seen.head?.mac ?? "", record.n, text, previous, mac, proof, change ?? ""],
    ...writes.flatMap(({ slot, was, to }) => [
      ...[slot.field ?? "", was.kind, was.digest, was.expiresAt ?? -1],
      ...[slot.isHash ? "hash" : "string", to?.value ?? "", to ? (to.expiresAt ?? -1) : "gone"],
    ]),
  ],
  reply: (isDone: number) => isDone === 1,
});

/**
 * Makes a change and its audit record in one step, or neither. The key of the seal may not reach Redis, so the record
 * is sealed here on what was read, and written only if all of that still holds; else everything is looked at anew.
 */
export async function commit<D extends Decision>(
  ctx: Signed,
  intent: Intent<D>,
  { patienceMs = 5_000 } = {},
): Promise<Committed<D>> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; performance.now() < deadline; attempt++) {
    const seen = await foresee(ctx, intent);
    const { writes, isOnRecord } = seen.decision;
    if (writes.length === 0 && !isOnRecord) return { decision: seen.decision, change: null };
    await refuseForeignSecret(ctx, seen.snapshot);
    const sealed = seal(ctx, intent, seen.decision, seen.snapshot);
    if (await script.run(ctx.redis, sealed)) return { decision: seen.decision, change: sealed.record.change };
    await pause(Math.random() * Math.min(4 * attempt, 50));
  }
  throw new DomainError(
    "changed-meanwhile",
    "Others keep changing the same thing. Nothing was written; try again.",
  );
}

/** What the change would do now, without doing it. */
export async function foresee<D extends Decision>({ redis }: Pick<Signed, "redis">, intent: Intent<D>) {
  const snapshot = await takeSnapshot(redis, intent).catch(explainDamage);
  return { snapshot, decision: intent.decide(snapshot) };
}

function seal(ctx: Signed, intent: Intent<Decision>, decision: Decision, seen: Snapshot): Sealed {
  const writes = decision.writes.map(({ slot: i, to }) => {
    const [slot, was] = [intent.slots[i], seen.slots[i]];
    if (!slot || !was) throw new RangeError(`There is no slot ${i} to write`);
    // Redis would refuse it in the midst of the script, when the record is written already.
    if (to?.expiresAt && !Number.isSafeInteger(to.expiresAt))
      throw new RangeError(`${slot.key} cannot end at ${to.expiresAt}`);
    if (slot.field !== undefined && !["none", "string"].includes(was.kind)) throw inTheWay(slot.key);
    return { slot, was, to };
  });
  const isTracked = writes.some(({ slot }) => tracked.some((prefix) => slot.key.startsWith(prefix)));
  const change = isTracked ? seen.change + 1 : null;
  const { name, address, via } = ctx.actor;
  const { made } = decision;
  const { undoes } = ctx;
  const record: AuditRecord = {
    n: nextNumber(seen),
    at: made?.at ?? new Date(seen.now).toISOString(),
    actor: name,
    ...(address && { address }),
    via,
    action: undoes ? "undo" : intent.action,
    ...(undoes && { undoes }),
    change: made?.change ?? change,
    reason: intent.reason,
    changes: made?.changes ?? writes.filter(({ slot }) => !slot.isAside).map(recorded),
  };
  const text = JSON.stringify(record);
  const previous = seen.head?.mac ?? beginning;
  const mac = ctx.seal.record(previous, text);
  return { seen, record, text, change, previous, mac, proof: ctx.seal.end(record.n, mac), writes };
}

/** A damaged log is continued, not healed: the gap stays for the verifier to find, and staff can go on working. */
function nextNumber({ head, lastId }: Snapshot): number {
  const n = Math.max(head && Number.isSafeInteger(head.n) ? head.n : 0, lastId) + 1;
  if (Number.isSafeInteger(n)) return n;
  throw damaged(`its last id is ${lastId}`);
}

function recorded({ slot, was, to }: Sealed["writes"][number]): RecordedChange {
  const after = to && { ...to, expiresAt: iso(to.expiresAt) };
  return { target: slot.target, before: standing(slot, was), after };
}

function standing({ isHash }: Slot, { kind, value, expiresAt }: Holding): Standing | null {
  if (kind === "none") return null;
  if (kind === (isHash ? "hash" : "string")) return { value, expiresAt: iso(expiresAt) };
  return { value: null, expiresAt: iso(expiresAt), type: kind };
}

/** A foreign writer may have set an expiry later than a Date can tell. */
function iso(at: number | null): string | null {
  return at === null ? null : new Date(Math.min(at, 8.64e15)).toISOString();
}

function explainDamage(error: unknown): never {
  if (error instanceof Error && /WRONGTYPE/.test(error.message))
    throw damaged("it is of another type", error);
  throw error;
}

function inTheWay(key: string): DomainError {
  return new DomainError("not-configured", `${key} in Redis is not a hash. Rename it to go on.`);
}

function damaged(how: string, cause?: Error): DomainError {
  const message = `The audit log (${keys.audit()}, ${keys.auditHead()}) cannot be continued: ${how}. Rename it to go on.`;
  return new DomainError("not-configured", message, {}, cause && { cause });
}
