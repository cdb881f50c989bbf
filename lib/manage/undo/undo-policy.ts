import { at } from "../../at.ts";
import { type Mode, modes } from "../../enforce/policy/schema.ts";
import { type PolicyInForce, readPolicy } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { sayMoment } from "../audit/time-words.ts";
import { rollBackTo } from "../policy/roll-back.ts";
import { savePolicy } from "../policy/save.ts";
import { nothingLeft } from "./changed-since.ts";
import { modeOf, versionOf } from "./undoable.ts";

type PolicyUndo = { readonly change: number | null };

/** Brings back the version before, unless another was saved since. */
export async function undoPolicy(ctx: Signed, record: AuditRecord, reason: string): Promise<PolicyUndo> {
  const { before, after } = at(record.changes, 0);
  const [was, left] = [versionOf(before), versionOf(after)];
  if (was === undefined || left === undefined) throw unreadable(record);
  const inForce = await readPolicy(ctx.redis);
  if (inForce.version !== left) throw savedSince(record, inForce);
  const saved = await rollBackTo(ctx, { version: was, basedOn: left, reason });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

/** Switches the mode back, whatever else of the policy has changed since. */
export async function undoMode(ctx: Signed, record: AuditRecord, reason: string): Promise<PolicyUndo> {
  const { before, after } = at(record.changes, 0);
  const [was, left] = [modeOf(before), modeOf(after)];
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
      : `${by ?? "Another writer"} saved version ${version}`;
  const message = `Nothing was undone, because the policy is not as record ${n} left it: ${who}${at ? ` at ${sayMoment(at)}` : ""}.`;
  return new DomainError(
    "changed-since",
    `${message} Roll back to an earlier version on the policy page instead.`,
  );
}

function switchedSince({ n }: AuditRecord, { policy, by, at }: PolicyInForce): DomainError {
  const who = by ? ` (${by}${at ? `, ${sayMoment(at)}` : ""})` : "";
  const message = `Nothing was undone, because the mode is not as record ${n} left it: it is ${policy.mode}${who}.`;
  return new DomainError("changed-since", message);
}

function unreadable({ n }: AuditRecord): DomainError {
  return new DomainError("bad-input", `The policy before record ${n} was not written by Sluice.`);
}
