import type { AuditRecord, Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { rollBackTo } from "../policy/roll-back.ts";
import { savePolicy } from "../policy/save.ts";
import { type Mode, modes } from "../policy/schema.ts";
import { type PolicyInForce, readPolicy } from "../policy/versions.ts";
import { nothingLeft } from "./since.ts";
import { sayMoment } from "./time-words.ts";
import { modeOf, versionOf } from "./undoable.ts";

type Undone = { readonly change: number | null };

/** Brings back the version before, if nobody has saved another since. */
export async function undoPolicy(ctx: Signed, record: AuditRecord, reason: string): Promise<Undone> {
  const [change] = record.changes;
  const [was, left] = [versionOf(change?.before ?? null), versionOf(change?.after ?? null)];
  if (was === undefined || left === undefined) throw unreadable(record);
  const inForce = await readPolicy(ctx.redis);
  if (inForce.version !== left) throw savedSince(record, inForce);
  const saved = await rollBackTo(ctx, { version: was, basedOn: left, reason });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

/** Switches the mode back, whatever else of the policy has changed since. */
export async function undoMode(ctx: Signed, record: AuditRecord, reason: string): Promise<Undone> {
  const [change] = record.changes;
  const [was, left] = [modeOf(change?.before ?? null), modeOf(change?.after ?? null)];
  if (!isMode(was) || left === undefined) throw unreadable(record);
  const saved = await savePolicy(ctx, {
    ...{ action: record.action, reason },
    make(inForce) {
      if (![was, left].includes(inForce.policy.mode)) throw switchedSince(record, inForce);
      return { ...inForce.policy, mode: was };
    },
  });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

function isMode(text: string | undefined): text is Mode {
  return modes.some((mode) => mode === text);
}

function savedSince({ n }: AuditRecord, { version, at, by }: PolicyInForce): DomainError {
  const who =
    version === 0
      ? "The policy of a fresh install is in force"
      : `${by ?? "Somebody"} saved version ${version}`;
  const message = `Nothing was undone, because the policy is not as record ${n} left it: ${who}${at ? ` at ${sayMoment(at)}` : ""}.`;
  return new DomainError(
    "changed-meanwhile",
    `${message} Roll back to an earlier version on the policy page instead.`,
  );
}

function switchedSince({ n }: AuditRecord, { policy, by, at }: PolicyInForce): DomainError {
  const who = by ? ` (${by}${at ? `, ${sayMoment(at)}` : ""})` : "";
  const message = `Nothing was undone, because the mode is not as record ${n} left it: it is ${policy.mode}${who}.`;
  return new DomainError("changed-meanwhile", message);
}

function unreadable({ n }: AuditRecord): DomainError {
  return new DomainError("bad-input", `What stood before record ${n} was no policy that Sluice wrote.`);
}
